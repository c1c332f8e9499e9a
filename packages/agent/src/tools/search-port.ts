/** What the thread looks for; `most` is where it stops. */
export interface Wanted {
  readonly pattern: string;
  readonly flags: string;
  readonly most: number;
}

export interface SearchedText {
  readonly key: string;
  readonly text: string;
}

export interface SearchHit {
  readonly key: string;
  readonly line: number;
  readonly text: string;
}
