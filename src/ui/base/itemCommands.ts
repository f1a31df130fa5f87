import { type ComponentType, createContext, useContext, useState } from 'react';
import type { NoticeAction } from '#shared/conversation/notice.ts';
import type { Saving } from '#shared/actions/outputActions.ts';
import type { Expansion, FoundHit } from '#shared/actions/windowSchemas.ts';

/** What a person does with the items of a conversation. */
interface ItemCommands {
  readonly expanded: readonly Expansion[];
  /** `null` in a picture of a window: what is expanded there is no state of the window. */
  readonly expand: ((expansion: Expansion) => void) | null;
  readonly saved: (saving: Saving) => void;
}

/** Provides what a person does with the items of the conversation; `null` where there is no conversation. */
export const ItemCommandsContext = createContext<ItemCommands | null>(null);

/** A message, or one of its items: as in `Expansion`. */
type ItemOfMessage = Pick<Expansion, 'message' | 'id' | 'item'>;

/** Provides the message, or the item, in which a component is. */
export const ItemOfMessageContext = createContext<ItemOfMessage | null>(null);

/** Returns how often more was shown of a part of the item in which the component is, and the function that changes it. */
export function useExpansion(
  part: Expansion['part'],
): readonly [steps: number, set: (steps: number) => void] {
  const commands = useContext(ItemCommandsContext);
  const item = useContext(ItemOfMessageContext);
  const [here, setHere] = useState<number | null>(null);
  if (commands === null || item === null) return [here ?? 0, setHere];
  const { expanded, expand } = commands;
  const isPart = (one: Expansion) =>
    one.part === part && one.message === item.message && one.item === item.item && one.id === item.id;
  const steps = here ?? expanded.find(isPart)?.steps ?? 0;
  return [steps, expand === null ? setHere : (to) => expand({ ...item, part, steps: to })];
}

/** What the button of a notice gets. */
export interface NoticeButtonProps {
  readonly action: NoticeAction;
  /** The index of the notice in the conversation. */
  readonly index: number;
}

/** The buttons that only a window has. */
interface MessageButtons {
  readonly OfNotice: ComponentType<NoticeButtonProps>;
  /** The buttons in the label of the message at an index. */
  readonly InLabel: ComponentType<{ readonly index: number }>;
}

/** Provides the buttons of messages; `null` where messages have none. */
export const MessageButtonsContext = createContext<MessageButtons | null>(null);

/** The current hit of the find bar: what it is in is shown completely. */
export const FoundContext = createContext<FoundHit | null>(null);

/** Returns the current hit if it is in this message. */
export function useFoundIn(message: number): FoundHit | null {
  const hit = useContext(FoundContext);
  return hit?.message === message ? hit : null;
}
