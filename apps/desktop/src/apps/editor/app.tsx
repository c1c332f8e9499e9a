import type { AppProps } from "../app.ts";
import { NoText } from "./no-text.tsx";
import { Start } from "./start.tsx";
import { TextWindow } from "./text-window.tsx";
import { useOpened } from "./use-opened.ts";
import "./panels.css";
import "./editor.css";

/** Text files, one in each window. */
export default function Editor({ window, desk }: AppProps) {
  const { args, inFront, setArgs, takeEarly } = window;
  if (typeof args.key !== "string")
    return <Start {...{ desk, inFront, takeEarly }} onOpen={(key) => setArgs({ key })} />;
  return <OneFile window={window} desk={desk} file={args.key} />;
}

function OneFile({ window, desk, file }: AppProps & { readonly file: string }) {
  const { opened, again } = useOpened(desk, file, (key) => window.setArgs({ ...window.args, key }));
  if (opened.is === "loading") return <div className="editor" aria-busy="true" />;
  if (opened.is === "text") return <TextWindow {...{ window, desk, file }} session={opened.session} />;
  return <NoText {...{ window, desk, file, opened }} onAgain={again} />;
}
