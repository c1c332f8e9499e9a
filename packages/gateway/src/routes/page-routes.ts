import statics from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { sendMissing } from "../problem.ts";

export interface Pages {
  /** The folders of what was built for each site, with an `index.html` in each. */
  readonly pages: { readonly console: string; readonly desk: string };
}

/** The files of both sites. Names with a hash in them never change; all else is asked for each time. */
export async function pageRoutes(app: FastifyInstance, { pages }: Pages): Promise<void> {
  await app.register(statics, { root: [pages.console, pages.desk], serve: false });
  app.get("/*", { config: { entrance: "anyone" }, schema: { hide: true } }, (request, reply) => {
    const { "*": path } = request.params as { "*": string };
    if (path.startsWith("api/")) return sendMissing(reply);
    const root = request.asker.site.is === "desk" ? pages.desk : pages.console;
    const name = path === "" ? "index.html" : path;
    if (name.startsWith("assets/")) reply.header("cache-control", "public, max-age=31536000, immutable");
    return reply.sendFile(name, root, { cacheControl: false });
  });
}
