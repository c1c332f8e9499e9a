import { useEffect, useState } from "react";
import { Models } from "../server/model-shapes.ts";
import { sentence } from "../server/problem.ts";
import type { Asked, Server } from "../server/server.ts";
import { Panel } from "./panel.tsx";
import { PolicyForm } from "./policy-form.tsx";
import { ProviderForm } from "./provider-form.tsx";
import { Providers } from "./providers.tsx";
import { RoleForm } from "./role-form.tsx";
import type { KeptPolicy } from "./use-policy.ts";

interface AgentsParts {
  readonly server: Server;
  /** What was typed into the rules before, and isn't saved. */
  readonly kept: KeptPolicy;
  /** Somebody is about to type a key. */
  onKey(): void;
  onClose(): void;
}

/** Changes something about the models, shows what they are then, and gives it. */
export type ChangeModels = (path: string, asked: Asked) => Promise<Models>;

/** Which models do the work, and what they may do without asking. */
export function AgentsPanel({ server, kept, onKey, onClose }: AgentsParts) {
  const [models, setModels] = useState<Models>();
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    const over = new AbortController();
    server.ask(Models, "/api/models", { signal: over.signal }).then(setModels, (error: unknown) => {
      if (!over.signal.aborted) setSaid(sentence(error));
    });
    return () => over.abort();
  }, [server]);
  const change: ChangeModels = async (path, asked) => {
    const changed = await server.ask(Models, path, asked);
    setModels(changed);
    return changed;
  };
  const problem = said ?? models?.problem;
  return (
    <Panel title="Agents" onClose={onClose}>
      {problem !== undefined && (
        <p className="said warn" role="alert">
          {problem}
        </p>
      )}
      {models === undefined && said === undefined && <p className="faint">Looking for models on this machine…</p>}
      {models !== undefined && (
        <>
          <RoleForm {...{ server, models, change }} />
          <Providers {...{ models, change }} />
          <ProviderForm {...{ change, onKey }} kept={models.kept} />
          <PolicyForm {...{ server, kept }} />
        </>
      )}
    </Panel>
  );
}
