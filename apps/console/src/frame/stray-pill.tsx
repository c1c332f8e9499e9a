import { X } from "lucide-react";

const WORDS = "That link isn't to a computer of yours";

/** Somebody came by a link to an event of a computer that they don't have, or that there isn't: nobody can tell which. */
export function StrayPill({ onClose }: { onClose(): void }) {
  return (
    <span className="pill on running wish" role="status">
      <span className="running-what" title={WORDS}>
        {WORDS}
      </span>
      <button type="button" className="stop quiet" onClick={onClose} aria-label="Dismiss">
        <X aria-hidden="true" size={11} />
      </button>
    </span>
  );
}
