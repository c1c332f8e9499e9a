import type { FastifyInstance, FastifyReply } from "fastify";

/** In this scope bodies are of any kind and any size, and handlers take them from the request as they come. */
export function streaming(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
}

/** What is sent breaks off when the session ends that it was asked for in. */
export function breakOff({ raw, request }: FastifyReply): void {
  request.over.addEventListener("abort", () => raw.destroy());
}
