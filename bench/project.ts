/** One file of the project after an edit. */
export interface Edit {
  readonly path: string;
  readonly text: string;
}

/**
 * A project of so many source files, and then one edit after the other, as people and agents make them: a value, a line,
 * a few lines in or out, now and then a whole function. The same for the same seed.
 */
export function* project(files: number, seed: number): Generator<Edit, never> {
  const chance = new Chance(seed);
  const all = Array.from({ length: files }, (_, i) => ({ path: pathOf(chance, i), lines: module(chance) }));
  for (const { path, lines } of all) yield { path, text: textOf(lines) };
  for (;;) {
    const file = chance.favoured(all); // most edits go to a few files
    for (let hunks = chance.below(3); hunks >= 0; hunks--) edit(chance, file.lines);
    yield { path: file.path, text: textOf(file.lines) };
  }
}

/** Numbers that look like chance, and are the same for the same seed. */
class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  of<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }

  favoured<T>(items: readonly T[]): T {
    const found = items[Math.min(this.below(items.length), this.below(items.length))];
    if (found === undefined) throw new Error("there is nothing to choose from");
    return found;
  }
}

const NOUNS = [
  ..."account address answer basket budget cache channel chapter cursor customer device draft entry filter folder".split(
    " ",
  ),
  ..."frame gate handle index invoice item journal label ledger limit margin message meter node note order owner".split(
    " ",
  ),
  ..."page parcel parser payment picture planner policy price queue range reader record region report result room".split(
    " ",
  ),
  ..."route sample schedule section sensor session shelf signal station step stock table target ticket token value".split(
    " ",
  ),
] as [string, ...string[]];
const VERBS = "add apply build check clear close collect compare count draw fetch find join keep load merge move".split(
  " ",
) as [string, ...string[]];
const TYPES = ["string", "number", "boolean", "Date", "Uint8Array", "readonly string[]"] as const;

function pathOf(chance: Chance, i: number): string {
  return `workspace/src/${chance.of(NOUNS)}/${chance.of(NOUNS)}-${chance.of(NOUNS)}-${i}.ts`;
}

function module(chance: Chance): string[] {
  const names = Array.from({ length: 2 + chance.below(5) }, () => chance.of(NOUNS));
  const imports = names.map(
    (name) => `import { ${name}, type ${title(name)} } from "../${chance.of(NOUNS)}/${name}.ts";`,
  );
  const functions = Array.from({ length: 4 + chance.below(14) }, () => ["", ...functionLines(chance)]);
  return [...imports, ...functions.flat()];
}

function functionLines(chance: Chance): string[] {
  const [verb, noun, other] = [chance.of(VERBS), chance.of(NOUNS), chance.of(NOUNS)];
  return [
    `/** ${title(verb)}s the ${noun} of a ${other}, unless its ${chance.of(NOUNS)} says that the ${chance.of(NOUNS)} may not. */`,
    `export function ${verb}${title(noun)}(${other}: ${title(other)}, ${noun}: ${chance.of(TYPES)}): ${title(noun)} {`,
    ...Array.from({ length: 3 + chance.below(9) }, () => line(chance)),
    `  return ${chance.of(VERBS)}${title(noun)}(${other}.${chance.of(NOUNS)});`,
    "}",
  ];
}

function line(chance: Chance): string {
  const [a, b, verb] = [chance.of(NOUNS), chance.of(NOUNS), chance.of(VERBS)];
  switch (chance.below(6)) {
    case 0:
      return `  const ${a} = ${verb}${title(b)}(${b}, ${chance.below(5000)});`;
    case 1:
      return `  if (${a}.${b} === undefined) return ${verb}${title(a)}(${b});`;
    case 2:
      return `  for (const ${a} of ${b}.${a}s) ${verb}${title(a)}(${a}, "${chance.of(NOUNS)} ${chance.of(NOUNS)}");`;
    case 3:
      return `  // A ${a} without a ${b} is left to the ${chance.of(NOUNS)}: it may ${verb} later.`;
    case 4:
      return `  ${a}.${verb}(${b}.${chance.of(NOUNS)} + ${chance.below(100)}, { ${b}, ${chance.of(NOUNS)}: ${chance.below(2) === 0} });`;
    default:
      return `  await ${verb}${title(b)}(${a}, new ${title(a)}(${chance.below(1000)}));`;
  }
}

function edit(chance: Chance, lines: string[]): void {
  const at = chance.below(lines.length);
  switch (chance.below(8)) {
    case 0:
    case 1:
      lines.splice(at, 0, ...Array.from({ length: 1 + chance.below(6) }, () => line(chance)));
      return;
    case 2:
      lines.splice(at, lines.length > 40 ? 1 + chance.below(5) : 0);
      return;
    case 3:
      if (lines.length < 300) lines.push("", ...functionLines(chance));
      return;
    case 4:
      lines[at] = (lines[at] ?? "").replace(/\d+/, String(chance.below(9000)));
      return;
    default:
      lines[at] = line(chance);
  }
}

function textOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function title(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
