/** What became of keeping a key, without the key. */
export class SecretsError extends Error {
  override readonly name = "SecretsError";
}
