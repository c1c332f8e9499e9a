import { AppWindow, ChevronRight, Clock, File } from "lucide-react";
import { type PointerEvent, useEffect, useRef } from "react";
import type { Offer } from "./completions.ts";

const MARKS = { app: AppWindow, asked: Clock, command: ChevronRight, file: File };
const TITLES = { app: "Apps", asked: "Asked before", command: "Commands", file: "Files" };

export function offerId(index: number): string {
  return `offer-${index}`;
}

/** Above the bar, in groups. */
export function OfferList({
  offers,
  active,
  onChoose,
}: {
  offers: readonly Offer[];
  active: number;
  onChoose(offer: Offer): void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`#${offerId(active)}`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  /** The keys stay in the bar, which has its own for this. */
  const pick = (offer: Offer) => ({
    onPointerDown: (event: PointerEvent) => event.preventDefault(),
    onClick: () => onChoose(offer),
  });
  return (
    <div ref={list} id="offers" className="offers" role="listbox" aria-label="Suggestions">
      {offers.map((offer, i) => {
        const Mark = offer.icon ?? MARKS[offer.kind];
        return (
          <div key={`${offer.kind} ${offer.fill}`} role="presentation">
            {offer.kind !== offers[i - 1]?.kind && (
              <p className="offers-title" role="presentation">
                {TITLES[offer.kind]}
              </p>
            )}
            <div
              id={offerId(i)}
              className="offer"
              role="option"
              tabIndex={-1}
              aria-selected={i === active}
              {...pick(offer)}
            >
              <Mark aria-hidden="true" size={14} />
              <span className="offer-shows">{offer.shows}</span>
              <span className="offer-help">{offer.help}</span>
            </div>
          </div>
        );
      })}
    </div>
  );
}
