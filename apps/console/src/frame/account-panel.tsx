import { useState } from "react";
import { sentence } from "../server/problem.ts";
import type { Server } from "../server/server.ts";
import type { Me } from "../server/shapes.ts";
import { chooseTheme, chosenTheme, type Theme } from "../theme.ts";
import { Panel } from "./panel.tsx";
import { PasswordForm } from "./password-form.tsx";
import { Sessions } from "./sessions.tsx";

interface AccountParts {
  readonly server: Server;
  readonly me: Me;
  onChanged(): Promise<void>;
  onClose(): void;
}

const THEMES: readonly [Theme, string][] = [
  ["desk", "As the desktop"],
  ["dark", "Dark"],
  ["light", "Light"],
];

export function AccountPanel({ server, me, onChanged, onClose }: AccountParts) {
  const [theme, setTheme] = useState(chosenTheme);
  const [said, setSaid] = useState<string>();
  const pick = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  const signOut = async () => {
    try {
      await server.signOut();
      await onChanged();
    } catch (error) {
      setSaid(`You are still signed in. ${sentence(error)}`);
    }
  };
  return (
    <Panel title="Account" onClose={onClose}>
      <div className="who">
        <span className="avatar large" aria-hidden="true">
          {me.account.name.slice(0, 1).toUpperCase()}
        </span>
        <div className="grow">
          <b>{me.account.name}</b>
          <div className="faint">{me.account.role === "owner" ? "owner of this server" : "member"}</div>
        </div>
        <button type="button" className="button" onClick={signOut}>
          Sign out
        </button>
      </div>
      {said !== undefined && (
        <p className="said warn" role="alert">
          {said}
        </p>
      )}
      <fieldset className="segments">
        <legend>Theme</legend>
        {THEMES.map(([value, words]) => (
          <label key={value}>
            <input type="radio" name="theme" checked={theme === value} onChange={() => pick(value)} />
            <span>{words}</span>
          </label>
        ))}
      </fieldset>
      <PasswordForm server={server} hasPassword={me.account.hasPassword} onChanged={onChanged} />
      <Sessions server={server} onChanged={onChanged} />
    </Panel>
  );
}
