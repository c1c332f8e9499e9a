import "./search-field.css";
import { Search } from "lucide-react";
import type { KeyboardEvent, ReactNode, RefObject } from "react";

interface SearchParts {
  /** What stands there while nothing does. */
  readonly hint: string;
  /** What it is called, where that isn't the hint. */
  readonly label?: string;
  readonly words: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly children?: ReactNode;
  onWords(words: string): void;
  onKeyDown?(event: KeyboardEvent): void;
}

/** Where one types what one looks for. */
export function SearchField({ hint, label = hint, words, field, children, onWords, onKeyDown }: SearchParts) {
  return (
    <label className="search-field">
      <Search aria-hidden="true" size={14} />
      <input
        ref={field}
        type="search"
        value={words}
        placeholder={hint}
        aria-label={label}
        onChange={({ currentTarget }) => onWords(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {children}
    </label>
  );
}
