import type { LanguageDescription } from "@codemirror/language";
import { languages } from "@codemirror/language-data";

/** Names that say what they are without an ending. */
const NAMES: Readonly<Record<string, string>> = {
  ".babelrc": "JSON",
  ".bash_profile": "Shell",
  ".bashrc": "Shell",
  ".profile": "Shell",
  ".zshrc": "Shell",
  "cargo.lock": "TOML",
  containerfile: "Dockerfile",
  jenkinsfile: "Groovy",
  readme: "Markdown",
};

/** Endings that the list of languages doesn't know. */
const ENDINGS: Readonly<Record<string, string>> = {
  bash: "Shell",
  cjs: "JavaScript",
  conf: "Properties files",
  env: "Properties files",
  jsonc: "JSON",
  jsonl: "JSON",
  mdx: "Markdown",
  svg: "XML",
  zsh: "Shell",
};

/** The language of a file of this name; it is loaded only when it is used. */
export function languageOf(key: string): LanguageDescription | undefined {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const word = NAMES[name.toLowerCase()] ?? (name.includes(".") ? ENDINGS[ending] : undefined);
  if (word !== undefined) return languages.find((one) => one.name === word);
  return (
    languages.find(({ filename }) => filename?.test(name) === true) ??
    languages.find(({ extensions }) => name.includes(".") && extensions.includes(ending))
  );
}

/** Whose lines are sentences. */
export function isProse(key: string): boolean {
  const { name } = languageOf(key) ?? {};
  return name === undefined ? /\.(?:txt|log)$|\/[^./]+$/i.test(key) : name === "Markdown";
}
