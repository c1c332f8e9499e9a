import { type FormEvent, useState } from "react";
import { KINDS } from "../server/model-shapes.ts";
import { sentence } from "../server/problem.ts";
import type { ChangeModels } from "./agents-panel.tsx";
import { type Said, SaidLine } from "./said-line.tsx";

interface ProviderParts {
  readonly change: ChangeModels;
  /** Where keys are kept. */
  readonly kept: string;
  /** Its field was entered. */
  onKey(): void;
}

const WORDS: Readonly<Record<(typeof KINDS)[number], string>> = {
  anthropic: "Anthropic",
  bedrock: "Amazon Bedrock",
  "openai-compatible": "OpenAI, or a server that speaks like it",
};

/** A key goes to the server, and never comes back. */
export function ProviderForm({ change, kept, onKey }: ProviderParts) {
  const [kind, setKind] = useState<(typeof KINDS)[number]>("anthropic");
  const [said, setSaid] = useState<Said>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const given = [...fields].flatMap(([name, value]) => {
      const text = String(value).trim();
      return text === "" ? [] : [[name, text] as const];
    });
    const body = { id: kind, ...Object.fromEntries(given), kind };
    try {
      const { connected } = await change("/api/models/providers", { method: "POST", body });
      const problem = connected.find(({ id }) => id === body.id)?.problem;
      if (problem === undefined) form.reset();
      setSaid(
        problem === undefined
          ? { good: true, text: "Connected. Choose above what it does, and test it." }
          : { good: false, text: `Kept, but which models it has isn't known. ${problem}` },
      );
    } catch (error) {
      setSaid({ good: false, text: sentence(error) });
    }
  };
  return (
    <form className="fields" onSubmit={submit} aria-labelledby="provider-title">
      <h3 id="provider-title">Connect a model</h3>
      <label htmlFor="kind">Provider</label>
      <select id="kind" value={kind} onChange={(event) => setKind(event.target.value as typeof kind)}>
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {WORDS[one]}
          </option>
        ))}
      </select>
      {kind === "openai-compatible" && (
        <>
          <label htmlFor="base_url">Address, up to and with /v1</label>
          <input id="base_url" name="base_url" type="url" placeholder="http://127.0.0.1:8080/v1" required />
          <label htmlFor="provider-name">Name for it here</label>
          <input id="provider-name" name="id" pattern="[a-z0-9][a-z0-9\-]{0,39}" placeholder="workshop" />
        </>
      )}
      {kind === "bedrock" && (
        <>
          <label htmlFor="region">Region</label>
          <input id="region" name="region" placeholder="eu-central-1" required />
        </>
      )}
      <label htmlFor="key">{kind === "anthropic" ? "Key" : "Key, where it needs one"}</label>
      <div className="row">
        <input id="key" onFocus={onKey} name="key" type="password" autoComplete="off" required={kind === "anthropic"} />
        <button type="submit" className="button">
          Connect
        </button>
      </div>
      <p className="faint">{kept}</p>
      <SaidLine said={said} />
    </form>
  );
}
