import { LogIn } from "lucide-react";
import { type FormEvent, useEffect, useId, useState } from "react";
import { z } from "zod";
import { forgetLink } from "./link.ts";
import { Mark } from "./mark.tsx";
import { Problem, sentence } from "./server/problem.ts";
import type { Server } from "./server/server.ts";

interface Door {
  readonly server: Server;
  readonly link: string | undefined;
  readonly why: string | undefined;
  onEntered(): Promise<void>;
}

const Whose = z.object({ name: z.string() });
const Entered = z.unknown();

/** A link signs in by one click; without one, a name and a password do. */
export function SignIn({ server, link, why, onEntered }: Door) {
  const [name, setName] = useState<string>();
  const [said, setSaid] = useState(why);
  const [busy, setBusy] = useState(link !== undefined);
  /** Who is signed in in this browser already. */
  const [former, setFormer] = useState<string>();

  useEffect(() => {
    if (link === undefined) return;
    const look = async () => {
      const whose = await server.ask(Whose, "/api/link", { method: "POST", body: { token: link } });
      setFormer((await server.me())?.account.name);
      setName(whose.name);
    };
    look()
      .catch((error) => {
        if (error instanceof Problem) forgetLink(); // it is over
        setSaid(sentence(error));
      })
      .finally(() => setBusy(false));
  }, [server, link]);

  const enter = async (path: string, body: unknown) => {
    setBusy(true);
    setSaid(undefined);
    try {
      await server.ask(Entered, path, { method: "POST", body });
      await onEntered();
    } catch (error) {
      setSaid(sentence(error));
      setName(undefined);
    } finally {
      setBusy(false);
    }
  };

  return (
    <main className="door" aria-busy={busy}>
      <section className="door-card" aria-labelledby="door-title">
        <Mark size={40} />
        <h1 id="door-title">ChoirOS</h1>
        <p className="soft">A computer where agents do the work, and everything can be undone.</p>
        {said !== undefined && (
          <p className="said warn" role="alert">
            {said}
          </p>
        )}
        {name !== undefined && former !== undefined && former !== name && (
          <p className="said">
            <span className="grow">
              In this browser {former} is signed in. Whoever signs in as {name} signs {former} out here.
            </span>
            <button type="button" className="button" disabled={busy} onClick={onEntered}>
              Stay {former}
            </button>
          </p>
        )}
        {name === undefined ? (
          <Password busy={busy} onSubmit={(body) => enter("/api/auth/sign-in/username", body)} />
        ) : (
          <button
            type="button"
            className="button gold wide"
            // biome-ignore lint/a11y/noAutofocus: the only thing on the page that can be done
            autoFocus
            disabled={busy}
            onClick={() => enter("/api/auth/link", { token: link })}
          >
            <LogIn aria-hidden="true" size={16} />
            Sign in as {name}
          </button>
        )}
        <p className="door-foot">
          Lost the link? On the machine that runs ChoirOS: <code>npx choir user link</code>
        </p>
      </section>
    </main>
  );
}

function Password({ busy, onSubmit }: { busy: boolean; onSubmit(body: { username: string; password: string }): void }) {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    onSubmit({ username: String(fields.get("username")).trim(), password: String(fields.get("password")) });
  };
  return (
    <form className="fields" onSubmit={submit}>
      <label htmlFor={`${id}-name`}>Name</label>
      <input
        id={`${id}-name`}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck="false"
        required
      />
      <label htmlFor={`${id}-password`}>Password</label>
      <input id={`${id}-password`} name="password" type="password" autoComplete="current-password" required />
      <button type="submit" className="button gold wide" disabled={busy}>
        Sign in
      </button>
    </form>
  );
}
