import { onTestFinished } from "vitest";
import { Config } from "../config/schema.ts";
import type { Home } from "../home.ts";
import { type RunningServer, startServer } from "../server/start-server.ts";
import { tempHome } from "./temp-home.ts";

/** A server on a home, `ada`'s unless told; stopped when the test is over. */
export async function serve(
  home: Home = tempHome(),
  settings: object = {},
  env: NodeJS.ProcessEnv = {},
): Promise<RunningServer> {
  const config = Config.parse({ server: { port: 0 }, ...settings });
  const report = (error: unknown) => {
    if (error instanceof Error) throw error; // a sentence is only about what others did to the folder
  };
  const server = await startServer({ home, owner: "ada", config, env, report, tell: () => {}, aside: () => {} });
  onTestFinished(() => server.close());
  return server;
}
