/** Every preview of an undo says it. */
export const IGNORED_NOTE = "What is ignored (.choirignore: node_modules, build output, caches) isn't touched.";
