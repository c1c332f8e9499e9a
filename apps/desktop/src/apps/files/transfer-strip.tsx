import { ArrowDownToLine, ArrowUpFromLine, X } from "lucide-react";
import { useWatched } from "../../watched.ts";
import { fileSize, number } from "../../words.ts";
import { type Transfer, transfers } from "./moving.ts";

/** What is on its way, how far it is, and how to stop it. */
export function TransferStrip() {
  const list = useWatched(transfers);
  if (list.length === 0) return null;
  return (
    <ul className="files-transfers" aria-label="On their way">
      {list.map((transfer) => (
        <TransferLine key={transfer.id} transfer={transfer} />
      ))}
    </ul>
  );
}

function TransferLine({ transfer }: { transfer: Transfer }) {
  const { way, now, bytes, total, files, count, stopping, stop } = transfer;
  const Icon = way === "up" ? ArrowUpFromLine : ArrowDownToLine;
  const part = total > 0 ? bytes / total : files / Math.max(1, count);
  const verb = way === "up" ? "Uploading" : "Downloading";
  const many = count > 1 ? ` · ${number.format(files)} of ${number.format(count)}` : "";
  return (
    <li>
      <Icon aria-hidden="true" size={14} className="gold-text" />
      <span className="grow files-transfer">
        {stopping ? (
          <span className="files-transfer-words">Stopping once the server has answered</span>
        ) : (
          <span className="files-transfer-words">
            {verb} <bdi>{now}</bdi>
            <span className="soft">
              {many} · {fileSize(bytes)} of {fileSize(total)}
            </span>
          </span>
        )}
        <progress aria-label={`${verb} ${now}`} value={part} max={1} />
      </span>
      <button type="button" className="button quiet" disabled={stopping} onClick={stop}>
        <X aria-hidden="true" size={14} />
        Cancel
      </button>
    </li>
  );
}
