import { ArrowDown, ArrowUp } from "lucide-react";
import { type Column, nextOrder, type Order } from "./sorting.ts";

const HEADS: readonly (readonly [Column, string])[] = [
  ["name", "Name"],
  ["changed", "Changed"],
  ["by", "By"],
  ["kind", "Kind"],
  ["size", "Size"],
];

/** By what the list is sorted. */
export function ColumnHeads({ order, onOrder }: { order: Order; onOrder(order: Order): void }) {
  const Arrow = order.down ? ArrowDown : ArrowUp;
  return (
    <fieldset className="files-heads" aria-label="Sort by">
      {HEADS.map(([column, title]) => (
        <button
          key={column}
          type="button"
          className={`files-head-${column}`}
          aria-pressed={order.by === column}
          aria-label={order.by === column ? `${title}, ${order.down ? "downwards" : "upwards"}` : title}
          onClick={() => onOrder(nextOrder(order, column))}
        >
          {title}
          {order.by === column && <Arrow aria-hidden="true" size={12} />}
        </button>
      ))}
    </fieldset>
  );
}
