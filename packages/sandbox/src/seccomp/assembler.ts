/** One line of a filter: an instruction, or a label to jump to. */
export type Line = Instruction | { readonly label: string };

interface Instruction {
  readonly code: number;
  readonly k: number;
  /** Where to go on if the test holds, and if not; without one, the next line. */
  readonly yes?: string;
  readonly no?: string;
}

// Classic BPF, as <linux/filter.h> has it.
const LOAD_WORD = 0x20;
const AND = 0x54;
const JUMP = 0x05;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const RETURN = 0x06;

/** Loads 32 bits of the system call's data: see `field`. */
export function load(offset: number): Line {
  return { code: LOAD_WORD, k: offset };
}

export function and(mask: number): Line {
  return { code: AND, k: mask };
}

export function ifEqual(value: number, yes: string): Line {
  return { code: JUMP_EQUAL, k: value, yes };
}

export function unlessEqual(value: number, no: string): Line {
  return { code: JUMP_EQUAL, k: value, no };
}

export function ifAtLeast(value: number, yes: string): Line {
  return { code: JUMP_AT_LEAST, k: value, yes };
}

export function give(action: number): Line {
  return { code: RETURN, k: action };
}

export function label(name: string): Line {
  return { label: name };
}

/** The program as the kernel takes it: eight bytes an instruction, in this machine's order of bytes. */
export function assemble(lines: readonly Line[]): Buffer {
  const { instructions, labels } = resolve(withLongJumps(lines));
  const program = Buffer.alloc(instructions.length * 8);
  for (const [at, { code, k, yes, no }] of instructions.entries()) {
    const distance = (name: string | undefined) => (name === undefined ? 0 : targetOf(labels, name) - at - 1);
    const far = code === JUMP;
    program.writeUInt16LE(code, at * 8);
    program.writeUInt8(far ? 0 : distance(yes), at * 8 + 2);
    program.writeUInt8(far ? 0 : distance(no), at * 8 + 3);
    program.writeUInt32LE(far ? distance(yes) : k >>> 0, at * 8 + 4);
  }
  return program;
}

/**
 * A test can jump over 255 instructions, and a list of system calls is longer. So each test jumps over a plain jump,
 * which reaches anywhere.
 */
function withLongJumps(lines: readonly Line[]): Line[] {
  return lines.flatMap((line, i): Line[] => {
    if ("label" in line || (line.yes === undefined && line.no === undefined)) return [line];
    const next = `next ${i}`;
    const far = (to: string): Line => ({ code: JUMP, k: 0, yes: to });
    if (line.yes === undefined) {
      return [{ ...line, no: `far ${i}`, yes: next }, label(`far ${i}`), far(line.no ?? next), label(next)];
    }
    return [{ ...line, yes: `far ${i}`, no: next }, label(`far ${i}`), far(line.yes), label(next)];
  });
}

function resolve(lines: readonly Line[]): { instructions: Instruction[]; labels: Map<string, number> } {
  const instructions: Instruction[] = [];
  const labels = new Map<string, number>();
  for (const line of lines) {
    if ("label" in line) labels.set(line.label, instructions.length);
    else instructions.push(line);
  }
  return { instructions, labels };
}

function targetOf(labels: ReadonlyMap<string, number>, name: string): number {
  const target = labels.get(name);
  if (target === undefined) throw new Error(`the filter jumps to ${name}, which isn't there`);
  return target;
}
