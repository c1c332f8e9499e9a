import { Fragment, useState } from "react";
import type { FoundProvider, Models, Provider } from "../server/model-shapes.ts";
import { sentence } from "../server/problem.ts";
import { count } from "../words.ts";
import type { ChangeModels } from "./agents-panel.tsx";
import { useSettled } from "./use-settled.ts";

interface ProvidersParts {
  readonly models: Models;
  readonly change: ChangeModels;
}

/** What is connected, and what was found on this machine and could be. */
export function Providers({ models: { connected, found }, change }: ProvidersParts) {
  const [said, setSaid] = useState<string>();
  const ready = useSettled([connected, found].map((all) => all.map(({ id }) => id).join(" ")).join(", "));
  const tried = (doing: Promise<unknown>) =>
    void doing.then(
      () => setSaid(undefined),
      (error: unknown) => setSaid(sentence(error)),
    );
  const disconnect = (id: string) => tried(change(`/api/models/providers/${id}`, { method: "DELETE" }));
  const connect = ({ id, kind, base_url, region }: FoundProvider) => {
    const body = { id, kind, ...(base_url !== undefined && { base_url }), ...(region !== undefined && { region }) };
    return tried(change("/api/models/providers", { method: "POST", body }));
  };
  if (connected.length + found.length === 0) return null;
  return (
    <section className="fields" aria-labelledby="providers-title">
      <h3 id="providers-title">Connected, and found on this machine</h3>
      {said !== undefined && (
        <p className="said warn" role="alert">
          {said}
        </p>
      )}
      <ul className="sessions">
        {connected.map((one) => (
          <li key={one.id}>
            <About {...one} />
            <button type="button" className="button quiet" disabled={!ready} onClick={() => disconnect(one.id)}>
              Disconnect
            </button>
          </li>
        ))}
        {found.map((one) => (
          <li key={one.id}>
            <About {...one} />
            <button type="button" className="button" disabled={!ready} onClick={() => connect(one)}>
              Connect
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function About(one: Provider & { readonly where?: string }) {
  const parts = [
    one.id === one.kind ? undefined : one.kind,
    one.base_url,
    one.region,
    one.key_end === null ? undefined : `key …${one.key_end}`,
    one.models.length === 0 ? undefined : count(one.models.length, "model"),
    one.where,
  ];
  return (
    <span className="grow">
      <b>{one.id}</b>
      <span className="faint about-provider">
        {parts
          .filter((part) => part !== undefined)
          .map((part, index) => (
            <Fragment key={part}>
              {index > 0 && " · "}
              <span className="about-part">{part}</span>
            </Fragment>
          ))}
      </span>
      {one.problem !== undefined && <span className="warn-text about-provider">{one.problem}</span>}
    </span>
  );
}
