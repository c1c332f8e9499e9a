import { useState } from "react";
import { type Chosen, type Models, type Provider, Tested } from "../server/model-shapes.ts";
import { sentence } from "../server/problem.ts";
import type { Server } from "../server/server.ts";
import type { ChangeModels } from "./agents-panel.tsx";
import { type Said, SaidLine } from "./said-line.tsx";

interface RoleParts {
  readonly server: Server;
  readonly models: Models;
  readonly change: ChangeModels;
}

const ROLES = [
  { role: "director", title: "Director", does: "plans, and judges what was done" },
  { role: "associate", title: "Associate", does: "does the work, in the sandbox" },
] as const;

/** Which model does which work. */
export function RoleForm(parts: RoleParts) {
  const { connected } = parts.models;
  return (
    <section className="fields" aria-labelledby="roles-title">
      <h3 id="roles-title">Who does the work</h3>
      {connected.length === 0 && (
        <p className="faint">Nobody yet: connect a model below. Until then asks are kept, and wait.</p>
      )}
      {connected.length > 0 && ROLES.map((one) => <RoleFields key={one.role} {...one} {...parts} />)}
    </section>
  );
}

type Role = (typeof ROLES)[number];

function RoleFields({ role, title, does, server, models, change }: Role & RoleParts) {
  const chosen = models.chosen[role];
  /** What isn't in use, or not yet. */
  const [wanted, setWanted] = useState<Chosen>();
  // What was wanted of a provider that is gone is wanted no more: what is shown is what is sent.
  const isThere = (one?: Chosen | null) => models.connected.some(({ id }) => id === one?.provider);
  const shown = [wanted, chosen].find(isThere);
  const { model, provider } = shown ?? { model: "", provider: models.connected[0]?.id ?? "" };
  const [said, setSaid] = useState<Said>();
  const [busy, setBusy] = useState(false);
  const offered = models.connected.find(({ id }) => id === provider)?.models ?? [];
  const doing = (act: (named: Chosen) => Promise<Said>, usual?: string) => async () => {
    const named = model.trim() || usual;
    if (named === undefined) return setSaid({ good: false, text: "Name a model first." });
    setBusy(true);
    setSaid(await act({ model: named, provider }).catch((error) => ({ good: false, text: sentence(error) })));
    setBusy(false);
  };
  const use = doing(async (named) => {
    await change(`/api/models/roles/${role}`, { method: "POST", body: named });
    setWanted((last) => (last === wanted ? undefined : last)); // what was typed since isn't in use
    return { good: true, text: `${named.model} is the ${title} now.` };
  });
  const test = doing(async (named) => {
    const tested = await server.ask(Tested, "/api/models/test", { method: "POST", body: named });
    const took = `${named.model} answered in ${(tested.ms / 1000).toFixed(1)} s.`;
    return { good: tested.ok, text: tested.ok ? took : tested.message };
  }, offered[0]); // whether anybody answers can be tested before one is named
  const other = models.chosen[role === "director" ? "associate" : "director"];
  return (
    <fieldset className="role">
      <legend>
        {title} <span className="faint">{does}</span>
      </legend>
      <div className="row">
        <ProviderChoice
          {...{ title, provider }}
          connected={models.connected}
          onChoose={(id) => setWanted({ model, provider: id })}
        />
        <input
          className="grow"
          aria-label={`Model of the ${title}`}
          placeholder={offered[0] === undefined ? "the model's name" : `such as ${offered[0]}`}
          list={`models-${role}`}
          maxLength={200}
          value={model}
          onChange={(event) => setWanted({ model: event.target.value, provider })}
        />
        <datalist id={`models-${role}`}>
          {offered.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </div>
      <div className="row">
        <button type="button" className="button" disabled={busy} onClick={use}>
          Use
        </button>
        <button type="button" className="button quiet" disabled={busy} onClick={test}>
          {busy ? "Asking…" : "Test"}
        </button>
        {chosen !== null && chosen.model === model && chosen.provider === provider && said === undefined && (
          <span className="faint">in use</span>
        )}
        {chosen === null && other !== null && said === undefined && (
          <span className="faint">
            without its own, works with {other.model}, as the {role === "director" ? "Associate" : "Director"}
          </span>
        )}
      </div>
      <SaidLine said={said} />
    </fieldset>
  );
}

interface ChoiceParts {
  readonly title: string;
  readonly provider: string;
  readonly connected: readonly Provider[];
  onChoose(id: string): void;
}

function ProviderChoice({ title, provider, connected, onChoose }: ChoiceParts) {
  return (
    <select aria-label={`Provider of the ${title}`} value={provider} onChange={(event) => onChoose(event.target.value)}>
      {connected.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  );
}
