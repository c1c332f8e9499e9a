import type { FastifyError } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";

/** What is wrong with a request, for whoever made it; without what stood in it. */
export function detailOf(error: FastifyError): string {
  if (!hasZodFastifySchemaValidationErrors(error)) return error.message;
  const faults = error.validation.map(({ instancePath, keyword, message }) => {
    if (instancePath === "/name" && message?.startsWith("must ") === true) return nameFault(message);
    const place = `${error.validationContext ?? "request"}${instancePath}`;
    return keyword === "unrecognized_keys" ? `${place} has a field that isn't known` : `${place}: ${message}`;
  });
  return faults.join("; ");
}

/** People read it. */
function nameFault(message: string): string {
  return `A name ${message.replace("control characters", "characters that can't be seen")}.`;
}
