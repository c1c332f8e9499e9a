import { Check, Monitor } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ComputerApi } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import type { Server } from "../server/server.ts";
import { Computer, type Me } from "../server/shapes.ts";
import { Panel } from "./panel.tsx";
import { useOnce } from "./use-once.ts";

interface ComputersParts {
  readonly server: Server;
  readonly me: Me;
  readonly api: ComputerApi;
  readonly current: string;
  onChoose(id: string): void;
  onChanged(): Promise<void>;
  onClose(): void;
}

export function ComputersPanel({ server, me, api, current, onChoose, onChanged, onClose }: ComputersParts) {
  const [said, setSaid] = useState<string>();
  const [creating, renaming] = [useOnce(), useOnce()];
  const named = async (form: HTMLFormElement, act: (name: string) => Promise<void>) => {
    const typed = () => String(new FormData(form).get("name")).trim();
    const name = typed();
    if (name === "") return;
    try {
      await act(name);
      await onChanged();
      if (typed() === name) form.reset(); // else it is another one by then
      setSaid(undefined);
    } catch (error) {
      setSaid(sentence(error));
    }
  };
  const create = async (name: string) => {
    const made = await server.ask(Computer, "/api/computers", { method: "POST", body: { name } });
    onChoose(made.id);
  };
  const rename = async (name: string) => {
    await api.rename(name);
  };
  const submit = (once: typeof creating, act: typeof create) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    void once(() => named(form, act));
  };
  const name = me.computers.find(({ id }) => id === current)?.name ?? "";

  return (
    <Panel title="Computers" onClose={onClose}>
      {said !== undefined && (
        <p className="said warn" role="alert">
          {said}
        </p>
      )}
      <ul className="choices" aria-label="Your computers">
        {me.computers.map((one) => (
          <li key={one.id}>
            <button type="button" aria-current={one.id === current} onClick={() => onChoose(one.id)}>
              <Monitor aria-hidden="true" size={15} />
              <span className="grow">{one.name}</span>
              <span className="faint mono">{one.id}</span>
              {one.id === current && <Check aria-label="open" size={14} className="gold-text" />}
            </button>
          </li>
        ))}
      </ul>
      <form className="fields" key={`${current} ${name}`} onSubmit={submit(renaming, rename)}>
        <label htmlFor="rename">Name of this computer</label>
        <div className="row">
          <input id="rename" name="name" maxLength={80} defaultValue={name} required />
          <button type="submit" className="button">
            Rename
          </button>
        </div>
      </form>
      <form className="fields" onSubmit={submit(creating, create)}>
        <label htmlFor="create">Another computer</label>
        <div className="row">
          <input id="create" name="name" maxLength={80} placeholder="studio" required />
          <button type="submit" className="button">
            Create
          </button>
        </div>
        <p className="faint">It has files, a history and a desktop of its own.</p>
      </form>
      <ExportButton api={api} onFailed={setSaid} />
      <p className="faint">
        A desktop that gets in the way: <a href="#recover">open the console without it</a>. That is this page's address
        with <code>#recover</code> behind it.
      </p>
    </Panel>
  );
}

function ExportButton({ api, onFailed }: { api: ComputerApi; onFailed(said: string): void }) {
  const [busy, setBusy] = useState(false);
  const start = () => {
    setBusy(true);
    api
      .export()
      .catch((error: unknown) => onFailed(sentence(error)))
      .finally(() => setBusy(false));
  };
  return (
    <div className="fields">
      <span>Everything on this computer, with its history, in one file</span>
      <div className="row">
        <button type="button" className="button" disabled={busy} onClick={start}>
          {busy ? "Exporting…" : "Export"}
        </button>
      </div>
    </div>
  );
}
