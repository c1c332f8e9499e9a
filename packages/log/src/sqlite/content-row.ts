import { FORM, type Form } from "./schema.ts";

/** A row of the table `content`. Without a piece and not dropped, it lies in the folder. */
export interface ContentRow {
  readonly id: number;
  readonly hash: Uint8Array;
  readonly size: number;
  readonly form: Form;
  readonly piece: number | null;
  readonly base: number | null;
  readonly height: number;
  readonly dropped: string | null;
}

/** STRICT holds for what is written. A bit that flipped since must not make a content pass for dropped, or for another's. */
export function isContentRow(row: unknown): row is ContentRow {
  if (typeof row !== "object" || row === null) return false;
  const { size, form, piece, base, height, dropped }: Partial<Record<keyof ContentRow, unknown>> = row;
  if (typeof size !== "number" || typeof height !== "number" || !isForm(form)) return false;
  if (!isNumberOrNull(piece) || !isNumberOrNull(base)) return false;
  if (dropped === null) return (base !== null) === (form === FORM.against);
  return piece === null && base === null && typeof dropped === "string" && MOMENT.test(dropped);
}

function isForm(form: unknown): form is Form {
  return form === FORM.fresh || form === FORM.plain || form === FORM.alone || form === FORM.against;
}

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || typeof value === "number";
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
