import type { EventIcon } from "@choiros/contract";
import {
  AppWindow,
  Asterisk,
  CornerLeftUp,
  FilePen,
  Flag,
  Folder,
  type LucideIcon,
  MessageSquare,
  MoveRight,
  Settings,
  ShieldQuestionMark,
  Sparkles,
  SquareTerminal,
  Sunrise,
  Trash2,
  Undo2,
} from "lucide-react";

const ICONS: Readonly<Record<EventIcon, LucideIcon>> = {
  approval: ShieldQuestionMark,
  ask: MessageSquare,
  checkpoint: Flag,
  command: SquareTerminal,
  delete: Trash2,
  end: CornerLeftUp,
  folder: Folder,
  move: MoveRight,
  other: Asterisk,
  settings: Settings,
  start: Sunrise,
  task: Sparkles,
  undo: Undo2,
  window: AppWindow,
  write: FilePen,
};

export function EventMark({ icon }: { icon: EventIcon }) {
  const Icon = ICONS[icon];
  return <Icon aria-hidden="true" size={14} className="event-mark" data-icon={icon} />;
}
