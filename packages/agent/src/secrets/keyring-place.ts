import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import type { SecretPlace } from "./secrets.ts";
import { SecretsError } from "./secrets-error.ts";

export interface Keyring {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly program?: string;
  readonly timeoutMs?: number;
}

/** The system's keyring, by `secret-tool`. A key goes to it by its input, and is in no argument that others could read. */
export function keyringPlace({ home, env, program = "secret-tool", timeoutMs = 5_000 }: Keyring): SecretPlace {
  // two homes on one machine have two keys of the same name
  const scope = createHash("sha256").update(home).digest("hex").slice(0, 16);
  const about = (name: string) => ["application", "choiros", "home", scope, "name", name];
  const run = (args: string[], input?: string) => ran({ program, args, env, timeoutMs, input });
  let asked: Promise<boolean> | undefined;
  return {
    where: "in this system's keyring",
    usable: () => {
      asked ??= answers(run, env, about);
      return asked;
    },
    get: async (name) => {
      const { code, stdout } = await run(["lookup", ...about(name)]);
      return code === 0 && stdout !== "" ? stdout : undefined;
    },
    set: async (name, value) => {
      const { code } = await run(["store", `--label=ChoirOS: ${name}`, ...about(name)], value);
      if (code !== 0) throw new SecretsError("The system's keyring didn't take the key. Unlock it, and try again.");
    },
    remove: async (name) => {
      await run(["clear", ...about(name)]);
    },
  };
}

type Run = (args: string[], input?: string) => Promise<Ran>;

interface Ran {
  /** `undefined`: it couldn't be started, or took too long. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where no keyring runs it says so; where one does, what isn't there is no error. */
async function answers(run: Run, env: Keyring["env"], about: (name: string) => string[]): Promise<boolean> {
  if (env.DBUS_SESSION_BUS_ADDRESS === undefined) return false;
  const { code, stderr } = await run(["lookup", ...about("nothing")]);
  return code === 0 || (code === 1 && stderr.trim() === "");
}

interface Running {
  readonly program: string;
  readonly args: string[];
  readonly env: Keyring["env"];
  readonly timeoutMs: number;
  readonly input: string | undefined;
}

function ran({ program, args, env, timeoutMs, input }: Running): Promise<Ran> {
  const { DBUS_SESSION_BUS_ADDRESS, DISPLAY, HOME, LANG, PATH, WAYLAND_DISPLAY, XDG_RUNTIME_DIR } = env;
  const needed = { DBUS_SESSION_BUS_ADDRESS, DISPLAY, HOME, LANG, PATH, WAYLAND_DISPLAY, XDG_RUNTIME_DIR };
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: needed, timeout: timeoutMs, killSignal: "SIGKILL" });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", () => resolve({ code: undefined, stdout: "", stderr: "" }));
    child.on("close", (code) => resolve({ code: code ?? undefined, stdout, stderr }));
    child.stdin.on("error", () => undefined); // it may end without reading: its status tells
    child.stdin.end(input ?? "");
  });
}
