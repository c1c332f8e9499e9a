import { type FormEvent, useState } from "react";
import { z } from "zod";
import { sentence } from "../server/problem.ts";
import type { Server } from "../server/server.ts";
import { type Said, SaidLine } from "./said-line.tsx";
import { useOnce } from "./use-once.ts";

interface PasswordParts {
  readonly server: Server;
  readonly hasPassword: boolean;
  onChanged(): Promise<void>;
}

export function PasswordForm({ server, hasPassword, onChanged }: PasswordParts) {
  const [said, setSaid] = useState<Said>();
  const once = useOnce();
  const set = async (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const current = String(fields.get("current") ?? "");
    if (String(fields.get("password")).trim() === "")
      return setSaid({ good: false, text: "A password of spaces alone is too easy to guess." });
    const body = { password: String(fields.get("password")), ...(current !== "" && { current }) };
    try {
      if (!(await server.stillIn())) return; // it would be another account's password
      await server.ask(z.unknown(), "/api/auth/password", { method: "POST", body });
      form.reset();
      setSaid({ good: true, text: "The password is set. Other sessions were signed out." });
      await onChanged();
    } catch (error) {
      setSaid({ good: false, text: sentence(error) });
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    void once(() => set(form));
  };
  return (
    <form className="fields" onSubmit={submit} aria-labelledby="password-title">
      <h3 id="password-title">{hasPassword ? "Change the password" : "Set a password"}</h3>
      {hasPassword && (
        <>
          <label htmlFor="current">Current password (not needed right after signing in by a link)</label>
          <input id="current" name="current" type="password" autoComplete="current-password" />
        </>
      )}
      <label htmlFor="password">New password, at least 10 characters</label>
      <div className="row">
        <input id="password" name="password" type="password" minLength={10} autoComplete="new-password" required />
        <button type="submit" className="button">
          {hasPassword ? "Change" : "Set"}
        </button>
      </div>
      <SaidLine said={said} />
    </form>
  );
}
