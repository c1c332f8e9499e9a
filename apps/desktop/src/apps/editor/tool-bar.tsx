import { Columns2, History, type LucideIcon, MessageCircleQuestion, Search, WrapText } from "lucide-react";
import type { DeskApi } from "../../desk/api.ts";
import { COMMAND_KEY } from "../../words.ts";
import { folderOf, nameOf, wayTo } from "./names.ts";

interface ToolBarParts {
  readonly desk: DeskApi;
  readonly file: string;
  readonly isMarkdown: boolean;
  readonly hasPreview: boolean;
  readonly hasVersions: boolean;
  readonly wraps: boolean;
  toggle(what: "preview" | "versions", on: boolean): void;
  onWrap(on: boolean): void;
  onFind(): void;
  onAsk(): void;
}

export function ToolBar(parts: ToolBarParts) {
  const { desk, file, isMarkdown, hasPreview, hasVersions, wraps, toggle } = parts;
  const folder = folderOf(file);
  return (
    <div className="ed-tools" role="toolbar" aria-label="Editor">
      <p className="ed-way">
        <button type="button" className="ed-folder" onClick={() => desk.openFile(folder, "folder")}>
          {wayTo(folder)}
        </button>
        <span aria-hidden="true"> / </span>
        <strong>{nameOf(file)}</strong>
      </p>
      <Tool icon={Search} name={`Find and replace (${COMMAND_KEY} F)`} onClick={parts.onFind} />
      <Tool icon={MessageCircleQuestion} name="Ask about this" onClick={parts.onAsk} />
      <Tool icon={WrapText} name="Wrap long lines" on={wraps} onClick={() => parts.onWrap(!wraps)} />
      {isMarkdown && (
        <Tool icon={Columns2} name="Preview" on={hasPreview} onClick={() => toggle("preview", !hasPreview)} />
      )}
      <Tool icon={History} name="Versions" on={hasVersions} onClick={() => toggle("versions", !hasVersions)} />
    </div>
  );
}

function Tool({ icon: Icon, name, on, onClick }: { icon: LucideIcon; name: string; on?: boolean; onClick(): void }) {
  return (
    <button type="button" className="ed-tool" aria-label={name} title={name} aria-pressed={on} onClick={onClick}>
      <Icon aria-hidden="true" size={15} />
    </button>
  );
}
