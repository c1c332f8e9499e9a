import { type ESTree, parseSync, Visitor, type VisitorObject } from "vite";

export interface Import {
  readonly line: number;
  readonly specifier: string;
  /** Gone when types are stripped. `import { type A }` isn't: what is left of it still loads the module. */
  readonly typeOnly: boolean;
}

/** Every module that a file names: imports, re-exports, `import()`, and `import("…")` in a type. */
export function importsOf(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (source: ESTree.StringLiteral | null, typeOnly: boolean) => {
    if (source !== null) found.push({ line: lineAt(text, source.start), specifier: source.value, typeOnly });
  };
  visit(file, text, {
    ExportAllDeclaration: ({ exportKind, source }) => add(source, exportKind === "type"),
    ExportNamedDeclaration: ({ exportKind, source }) => add(source, exportKind === "type"),
    ImportDeclaration: ({ importKind, source }) => add(source, importKind === "type"),
    ImportExpression: ({ source }) => add(isText(source) ? source : null, false),
    TSImportType: ({ source }) => add(source, true),
  });
  return found;
}

/** Whether all a file does is to pass on what others export. */
export function isBarrel(file: string, text: string): boolean {
  const { body } = programOf(file, text);
  const fromOthers = importsOf(file, text).length > 0;
  const gives = body.some((statement) => statement.type.startsWith("Export"));
  return fromOthers && gives && body.every(isPassingOn);
}

/** The text of every string in a file: names of tests among it, comments not. */
export function stringsOf(file: string, text: string): string[] {
  const found: string[] = [];
  visit(file, text, {
    Literal: ({ value }) => {
      if (typeof value === "string") found.push(value);
    },
    TemplateElement: ({ value }) => found.push(value.cooked ?? value.raw),
  });
  return found;
}

/** The lines on which something is cast to `any`. */
export function castsToAny(file: string, text: string): number[] {
  const found: number[] = [];
  visit(file, text, {
    TSAsExpression: ({ start, typeAnnotation }) => {
      if (typeAnnotation.type === "TSAnyKeyword") found.push(lineAt(text, start));
    },
  });
  return found;
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function isPassingOn(statement: ESTree.Statement | ESTree.Directive): boolean {
  if (statement.type === "ExportAllDeclaration" || statement.type === "ImportDeclaration") return true;
  if (statement.type === "ExportNamedDeclaration") return statement.declaration === null;
  if (statement.type !== "ExportDefaultDeclaration") return false;
  const { declaration } = statement;
  if (declaration.type !== "ObjectExpression") return declaration.type === "Identifier";
  return declaration.properties.every((member) => member.type === "Property" && member.value.type === "Identifier");
}

function isText(expression: ESTree.Expression): expression is ESTree.StringLiteral {
  return expression.type === "Literal" && typeof expression.value === "string";
}

function visit(file: string, text: string, visitor: VisitorObject): void {
  new Visitor(visitor).visit(programOf(file, text));
}

/** With the parser that builds the desktop too, so it reads whatever the build reads. */
function programOf(file: string, text: string): ESTree.Program {
  const { errors, program } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file} doesn't parse: ${errors[0].message}`);
  return program;
}
