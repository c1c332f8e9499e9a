/** What came of a press. */
export interface Said {
  readonly good: boolean;
  readonly text: string;
}

export function SaidLine({ said }: { said: Said | undefined }) {
  if (said === undefined) return null;
  return (
    <p className={`said ${said.good ? "good" : "warn"}`} role={said.good ? "status" : "alert"}>
      {said.text}
    </p>
  );
}
