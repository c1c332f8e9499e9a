import { setImmediate as nextTurn } from "node:timers/promises";
import { signalsSuite } from "../signals.suite.ts";
import { localSignals } from "./local-signals.ts";

signalsSuite({ name: "local", make: async (onError) => localSignals(onError), arrived: () => nextTurn() });
