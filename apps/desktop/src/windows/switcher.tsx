import { parentKey, plain, type WindowValue } from "@choiros/contract";
import { AppWindow, X } from "lucide-react";
import { useEffect } from "react";
import { appOf } from "../apps/registry.ts";
import type { Desk } from "../desk/desk.ts";
import { choose, switching } from "../shell/keys.ts";
import { useWatched } from "../watched.ts";
import type { Windowing } from "./windowing.ts";

/** All windows, the front one first, to pick one of: by the keys that opened it, or with a finger. */
export function Switcher({ desk, windowing }: { desk: Desk; windowing: Windowing }) {
  const now = useWatched(switching);
  const windows = useWatched(desk.windows);
  const isOpen = now !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const leave = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest(".switcher, .cards-button") === null) switching.set(undefined);
    };
    addEventListener("pointerdown", leave);
    addEventListener("blur", leave); // the key that held it open is let go elsewhere
    return () => {
      removeEventListener("pointerdown", leave);
      removeEventListener("blur", leave);
    };
  }, [isOpen]);
  if (now === undefined) return null;
  const close = (id: string) => {
    void windowing.close(id);
    const order = now.order.filter((one) => one !== id);
    switching.set(order.length === 0 ? undefined : { order, at: Math.min(now.at, order.length - 1) });
  };
  return (
    <section className="switcher" aria-label="Switch windows">
      <ul>
        {now.order.map((id, i) => {
          const window = windows.get(id);
          if (window === undefined) return null;
          const Icon = appOf(window.app)?.icon ?? AppWindow;
          return (
            <li key={id} className="switcher-card" data-chosen={i === now.at}>
              <button
                type="button"
                className="switcher-pick"
                aria-current={i === now.at}
                onClick={() => {
                  switching.set({ ...now, at: i });
                  choose(windowing);
                }}
              >
                <Icon aria-hidden="true" size={22} />
                <span className="switcher-words">
                  <span>{window.title}</span>
                  {isDouble(window, windows) && <small>{placeOf(window)}</small>}
                </span>
              </button>
              <button
                type="button"
                className="switcher-close"
                aria-label={`Close ${window.title}`}
                onClick={() => close(id)}
              >
                <X aria-hidden="true" size={14} />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Another one has the same title. */
function isDouble({ title }: WindowValue, windows: ReadonlyMap<string, WindowValue>): boolean {
  return [...windows.values()].filter((one) => one.title === title).length > 1;
}

/** Where what it shows lies. */
function placeOf({ args: { key } }: WindowValue): string | undefined {
  const folder = typeof key === "string" ? parentKey(key) : undefined;
  return folder === undefined ? undefined : plain(folder);
}
