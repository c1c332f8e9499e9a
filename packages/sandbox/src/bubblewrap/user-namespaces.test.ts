import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { userNamespaces } from "./user-namespaces.ts";

test.each([
  ["user", "max_user_namespaces", "0", "user.max_user_namespaces=10000"],
  ["kernel", "unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"],
  ["kernel", "apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"],
])(
  "SBX-53: where %s.%s keeps user namespaces from people, that is said with what to do",
  async (folder, name, off, on) => {
    const settings = mkdtempSync(join(tmpdir(), "choir switches, "));
    onTestFinished(() => rmSync(settings, { recursive: true }));
    mkdirSync(join(settings, folder));
    writeFileSync(join(settings, folder, name), `${off}\n`);
    const found = await userNamespaces("false", settings);
    expect(found).toEqual({ ok: false, why: `${folder}.${name} is ${off}: 'sudo sysctl -w ${on}' allows them` });
  },
);

test("SBX-53: where no switch says why, the system's own word is told", async () => {
  expect(await userNamespaces("no-such-program", "/nowhere")).toMatchObject({
    ok: false,
    why: expect.stringContaining("no-such-program"),
  });
});
