import { newId } from "@choiros/contract";
import rateLimit from "@fastify/rate-limit";
import Fastify, { type FastifyError, type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { detailOf } from "./detail-of.ts";
import { type GuardParts, guard, isUpgrade, refuseUnread } from "./guard.ts";
import { endUnread, LIMITS, type Limits, limitBodies, rateOf } from "./limits.ts";
import { type Live, type LiveParts, liveRoute, openLive } from "./live/live-routes.ts";
import { refuseRaw, sendMissing, sendProblem } from "./problem.ts";
import { accountRoutes } from "./routes/account-routes.ts";
import { commandRoutes } from "./routes/command-routes.ts";
import { type ComputerParts, computerRoutes } from "./routes/computer-routes.ts";
import { fileRoutes } from "./routes/file-routes.ts";
import { type HealthParts, healthRoutes } from "./routes/health-routes.ts";
import { metricsRoutes } from "./routes/metrics-routes.ts";
import { openapiRoutes } from "./routes/openapi-routes.ts";
import { type Pages, pageRoutes } from "./routes/page-routes.ts";
import { signInRoutes } from "./routes/sign-in-routes.ts";
import { type StewardParts, stewardRoutes } from "./routes/steward-routes.ts";
import { type TransferParts, transferRoutes } from "./routes/transfer-routes.ts";
import { type RemovalParts, userRoutes } from "./routes/user-routes.ts";
import { endUntaken } from "./untaken.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Hears what went wrong where the caller isn't told. */
    reportError(error: unknown): void;
  }
}

export interface GatewayParts
  extends GuardParts,
    ComputerParts,
    RemovalParts,
    TransferParts,
    StewardParts,
    HealthParts,
    LiveParts,
    Pages {
  /** Hears what went wrong where the caller isn't told. */
  report(error: unknown): void;
  /** How many computers are open. */
  openComputers(): number;
  /** Encrypts what is said, where nobody does so before it comes here. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** The addresses of proxies: they are believed on who asks. */
  readonly trusted?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Takes a line of JSON for each answer: route, status, time and whose it was; nothing of what was asked or said. */
  readonly log?: { write(line: string): void };
}

/** How long a body may take is for the limits to say. */
const SERVER = { forceCloseConnections: true, requestTimeout: 0 };
/** A request's head has to be there within seconds. Whoever would rather speak another protocol is answered in this one. */
const HEADS = { headersTimeout: 15_000, shouldUpgradeCallback: isUpgrade };

/** Of what goes wrong only the kind: its words may have names in them, and go to whoever runs the server. */
const LINES = {
  base: null,
  serializers: { err: ({ name, code }: FastifyError) => ({ name, code }) },
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
};

/** The way in: both sites, their pages and their API. */
export async function gateway(parts: GatewayParts): Promise<FastifyInstance> {
  const { tls, trusted = [] } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const app: FastifyInstance = Fastify({
    ...SERVER,
    ...(tls === undefined ? { http: HEADS } : { https: { ...HEADS, ...tls } }),
    ...(trusted.length > 0 && { trustProxy: [...trusted] }),
    bodyLimit: limits.bodyBytes,
    logController: new LogController({ disableRequestLogging: true }), // there is a line of our own for each answer
    genReqId: () => newId(),
    logger: parts.log === undefined ? false : { ...LINES, stream: parts.log },
    clientErrorHandler: ({ code }, socket) => refuseRaw(socket, code),
    frameworkErrors: (_error, request, reply) => void refuseUnread(request, reply, parts),
  } as FastifyServerOptions); // no route can tell whether what it hears was encrypted
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorate("reportError", parts.report);
  app.setNotFoundHandler((_request, reply) => sendMissing(reply));
  app.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return sendProblem(reply, status, "Bad request", detailOf(error));
    parts.report(error);
    return sendProblem(reply, 500, "Server error", "Something failed in the server. Its output says what.");
  });
  app.addHook("onRequest", async (request, reply) => void reply.header("x-request-id", request.id));
  await app.register(rateLimit, { global: false });
  const live = await openLive(app, parts); // before the guard: it has to end the connections of those that are refused
  guard(app, parts, rateOf(app, limits));
  limitBodies(app, limits);
  endUnread(app);
  endUntaken(app, limits);
  await openapiRoutes(app);
  liveRoute(app, live);
  await routes(app, parts, limits, live);
  return app;
}

async function routes(app: FastifyInstance, parts: GatewayParts, limits: Limits, live: Live): Promise<void> {
  metricsRoutes(app, { open_computers: parts.openComputers, sockets: () => live.size });
  healthRoutes(app, parts);
  signInRoutes(app, parts);
  accountRoutes(app, parts);
  userRoutes(app, parts);
  stewardRoutes(app, parts);
  computerRoutes(app, parts);
  commandRoutes(app, parts);
  await fileRoutes(app, parts, limits);
  await transferRoutes(app, parts, limits);
  await pageRoutes(app, parts);
}
