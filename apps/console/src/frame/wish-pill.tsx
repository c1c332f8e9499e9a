import type { DeskWish } from "@choiros/contract/frame";
import { X } from "lucide-react";
import { useState } from "react";
import type { ComputerApi } from "../server/computer-api.ts";
import { sentence } from "../server/problem.ts";
import { wordsOf } from "./wish-words.ts";

interface WishParts {
  readonly api: ComputerApi;
  readonly wish: DeskWish;
  /** Whoever sits here is the owner of the server. */
  readonly owner: boolean;
  onAgents(): void;
  onSignedOut(): Promise<void>;
  onClose(): void;
}

/** What a desk can't do by itself, and asks for: whoever sits here says whether it is done. */
export function WishPill({ api, wish, owner, onAgents, onSignedOut, onClose }: WishParts) {
  const [said, setSaid] = useState<string>();
  const { asks, whole, yes } = wordsOf(wish, owner);
  const grant = async () => {
    try {
      setSaid("Working…");
      if (wish === "agents") onAgents();
      else if (wish === "export") await api.export();
      else if (wish !== "sign-out") open(wish.visit, "_blank", "noopener,noreferrer");
      else {
        await api.server.signOut();
        await onSignedOut();
      }
      onClose();
    } catch (error) {
      setSaid(sentence(error));
    }
  };
  return (
    <span className="pill on running wish" role="status">
      <span className="running-what" title={said ?? whole}>
        {said ?? asks}
      </span>
      {said === undefined && yes !== undefined && (
        <button type="button" className="stop" onClick={grant}>
          {yes}
        </button>
      )}
      <button type="button" className="stop quiet" onClick={onClose} aria-label="No, thank you">
        <X aria-hidden="true" size={11} />
      </button>
    </span>
  );
}
