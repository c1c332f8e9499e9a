export function Mark({ size }: { size: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <circle className="mark-ring" cx="8" cy="8" r="7" />
      <path className="mark-line" d="M2 10.5 6.2 7.6 8.4 9 14 4.6" />
    </svg>
  );
}
