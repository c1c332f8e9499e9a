import { languages } from "@codemirror/language-data";
import type { Extension } from "@codemirror/state";
import { languageOf } from "./language-of.ts";

/** What knows the language of a file of this name, loaded now; nothing where nobody knows it. */
export async function languageExtension(key: string): Promise<Extension> {
  const language = languageOf(key);
  if (language === undefined) return [];
  if (language.name !== "Markdown") return language.load();
  const { markdown, markdownLanguage } = await import("@codemirror/lang-markdown");
  return markdown({ base: markdownLanguage, codeLanguages: languages, completeHTMLTags: false });
}
