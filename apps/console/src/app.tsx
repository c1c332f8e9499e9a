import { useCallback, useEffect, useState } from "react";
import { Frame } from "./frame/frame.tsx";
import { forgetLink, type LinkedEvent } from "./link.ts";
import { sentence } from "./server/problem.ts";
import type { Server } from "./server/server.ts";
import { SignIn } from "./sign-in.tsx";
import { afterAsking, type Stage } from "./stage.ts";

interface AppParts {
  readonly server: Server;
  /** The token of a sign-in link. */
  readonly link: string | undefined;
  /** To be seen once somebody is in. */
  readonly event: LinkedEvent | undefined;
}

/** Either somebody is signed in, and sees the frame; or nobody is, and sees the door. */
export function App({ server, link: brought, event }: AppParts) {
  const [link, setLink] = useState(brought);
  const [stage, setStage] = useState<Stage>({ is: "asking" });

  const enter = useCallback(async (): Promise<void> => {
    try {
      const me = await server.me();
      setStage((former) => afterAsking(former, me));
      if (me === undefined) return;
      forgetLink(); // it was spent, or isn't needed
      setLink(undefined);
    } catch (error) {
      setStage({ is: "out", why: sentence(error) });
    }
  }, [server]);

  useEffect(() => {
    // A link is for whoever opens it: it is shown also where another account is signed in here.
    if (brought === undefined) void enter();
    else setStage({ is: "out" });
  }, [enter, brought]);

  useEffect(() => server.onSignedOut((why) => setStage({ is: "out", why })), [server]);

  if (stage.is === "asking") return <main className="door" aria-busy="true" aria-label="ChoirOS" />;
  if (stage.is === "out") return <SignIn server={server} link={link} why={stage.why} onEntered={enter} />;
  return <Frame server={server} me={stage.me} event={event} onChanged={enter} />;
}
