import "./settings.css";
import { SYSTEM_KEYS } from "@choiros/contract";
import { useEffect, useId, useState } from "react";
import { consoleScheme } from "../../console.ts";
import type { DeskApi } from "../../desk/api.ts";
import { sentence } from "../../desk/problem.ts";
import type { Outcome } from "../../desk/shapes.ts";
import { changeLayout, changeTheme, tellChanged } from "../../system/change-system.ts";
import { removeWallpaper } from "../../system/change-wallpaper.ts";
import { LAYOUT, SYSTEM_FOLDER, THEME, wornOf } from "../../system/system-file.ts";
import type { AppProps } from "../app.ts";

const SCHEMES = [
  ["dark", "Dark"],
  ["light", "Light"],
  ["system", "As the system"],
] as const;
const PLACES = [
  ["bottom", "At the bottom"],
  ["top", "At the top"],
] as const;

/** What of the system's files people change most; the files themselves are one click away. */
export default function Settings({ desk }: AppProps) {
  const { scheme, place, hasWallpaper } = useSystem(desk);
  const change = async (what: Promise<Outcome>) => {
    try {
      tellChanged(desk, await what);
    } catch (error) {
      desk.notify({ text: sentence(error), kind: "wrong" });
    }
  };
  const bare = () => removeWallpaper(desk).catch((error) => void desk.notify({ text: sentence(error), kind: "wrong" }));
  return (
    <div className="settings">
      <Choices
        title="Theme"
        choices={SCHEMES}
        value={scheme}
        onChoose={(next) => change(changeTheme(desk, { scheme: next }))}
      />
      <Choices
        title="Taskbar"
        choices={PLACES}
        value={place}
        onChoose={(next) =>
          change(changeLayout(desk, async ({ taskbar }) => ({ taskbar: { ...taskbar, place: next } })))
        }
      />
      <fieldset>
        <legend>Wallpaper</legend>
        <div className="settings-row">
          <span className="soft grow">Any picture of yours: type “wallpaper” and its name into the bar.</span>
          {hasWallpaper && (
            <button type="button" className="button" onClick={() => void bare()}>
              Take it away
            </button>
          )}
        </div>
      </fieldset>
      <div className="settings-row">
        <p className="faint grow">
          All of this is in files: change them by any means, and every open desktop changes with them.
        </p>
        <button type="button" className="button" onClick={() => desk.openFile(SYSTEM_FOLDER, "folder")}>
          Open the folder
        </button>
      </div>
    </div>
  );
}

interface ChoiceParts<Value extends string> {
  readonly title: string;
  readonly choices: readonly (readonly [Value, string])[];
  readonly value: Value | undefined;
  onChoose(value: Value): void;
}

function Choices<Value extends string>({ title, choices, value, onChoose }: ChoiceParts<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend>{title}</legend>
      <div className="settings-choices">
        {choices.map(([one, words]) => (
          <label key={one}>
            <input type="radio" name={name} checked={one === value} onChange={() => onChoose(one)} />
            <span>{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** What is worn by now. */
function useSystem(desk: DeskApi) {
  const [found, setFound] = useState<Awaited<ReturnType<typeof read>>>();
  useEffect(() => {
    let ended = false;
    const look = () => {
      read(desk).then(
        (now) => !ended && setFound(now),
        () => {},
      ); // what was known stays
    };
    look();
    const stop = desk.files.watch(SYSTEM_FOLDER, look);
    return () => {
      ended = true;
      stop();
    };
  }, [desk]);
  const place = found === undefined ? undefined : (found.layout.value?.taskbar?.place ?? "bottom");
  const scheme = found === undefined ? undefined : (found.theme.value?.scheme ?? consoleScheme() ?? "dark");
  return { scheme, place, hasWallpaper: found?.hasWallpaper === true };
}

async function read(desk: DeskApi) {
  const lines = await desk.files.list(SYSTEM_FOLDER);
  return {
    theme: await wornOf(desk, THEME),
    layout: await wornOf(desk, LAYOUT),
    hasWallpaper: lines.some(({ key }) => key === SYSTEM_KEYS.wallpaper),
  };
}
