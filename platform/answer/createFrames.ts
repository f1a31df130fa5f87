import type { Clock } from '#shared/time/clock.ts';
import type { AnswerItem } from './split/answerItem.ts';
import { contentItem, textItem } from './contentItem.ts';
import type { AnswerText } from './createAnswerText.ts';
import { createLabel } from './createLabel.ts';
import { previewOf } from './previewOf.ts';

/** What the message of an answer needs besides its text. */
export interface FramesOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  /** The label while the answer runs: “Parley is writing…”. */
  readonly label: string;
  /** Base64 PNG, or empty. */
  readonly avatar?: string;
}

/** The updates of one answer (spec §6.1). */
export interface Frames {
  /**
   * Returns the update that brings the message closer to the text; `undefined` when it is up to date.
   *
   * @param isHurried whether blocks are sent as they are written, because there is no time to parse them.
   */
  next(isHurried: boolean): object | undefined;
  /** Sets the label that follows the last update. */
  end(label: string): void;
  readonly hasBegun: boolean;
}

/** Maximum length of the items of the message's own update, in UTF-16 units of text and Markdown. */
const FIRST_LENGTH = 4000;

/** What the client has. */
interface Sent {
  items: number;
  /** The text of the last item. */
  text: string;
  /** `null`: the message was not sent. */
  label: string | null;
  id: string | null;
  /** Of the items. */
  version: number;
}

/**
 * Creates the updates of an answer. An update is made when it can be sent: it has the newest text, and a block is parsed once. The order is: the
 * message with its first item, the items that are missing, the label, the text of the last item. When items were replaced, the message comes
 * again with the same `id`.
 */
export function createFrames(text: AnswerText, { clock, newId, label, avatar = '' }: FramesOptions): Frames {
  const labelOf = createLabel(label, clock);
  let finalLabel: string | undefined;
  const sent: Sent = { items: 0, text: '', label: null, id: null, version: 0 };

  const newLabel = () => finalLabel ?? labelOf({ isThinking: text.isThinking, hidden: hiddenBlock(text) });
  const messageFrame = (isHurried: boolean) => {
    if (text.items.length === 0 && !text.isThinking && text.openBlock() === null && sent.label === null)
      return undefined;
    sent.items = 0;
    sent.text = '';
    sent.version = text.version;
    const content = firstItems(text.items).map((item) => nextItem(text, item, { sent, isHurried }));
    sent.label = labelOf({ isThinking: text.isThinking, hidden: hiddenBlock(text) });
    sent.id ??= newId();
    return { id: sent.id, modifier: 'ai', content, context: sent.label, avatar, seen: true };
  };
  const contentFrame = (isHurried: boolean) => {
    const item = text.items[sent.items];
    return item && (textFrame(text, sent) ?? nextItem(text, item, { sent, isHurried }));
  };
  const labelFrame = () => {
    const before = sent.label;
    sent.label = newLabel();
    return before === sent.label ? undefined : { context: sent.label };
  };

  return {
    next(isHurried) {
      text.refresh();
      if (sent.label === null) return messageFrame(false);
      if (sent.version !== text.version) return messageFrame(isHurried);
      if (finalLabel !== undefined) return contentFrame(isHurried) ?? textFrame(text, sent) ?? labelFrame();
      return contentFrame(isHurried) ?? labelFrame() ?? textFrame(text, sent);
    },
    end(ending) {
      finalLabel = ending;
    },
    get hasBegun() {
      return sent.label !== null;
    },
  };
}

/** Returns the block that is still growing when no text item can show it. */
const hiddenBlock = (text: AnswerText) => (text.items.at(-1)?.kind === 'text' ? null : text.openBlock());

/** Returns the items of the message's own update: several when there is much of the answer already. */
function firstItems(items: readonly AnswerItem[]): readonly AnswerItem[] {
  let length = 0;
  return items.filter((item, index) => {
    length += 'text' in item ? item.text.length : item.source.length;
    return index === 0 || length <= FIRST_LENGTH;
  });
}

/** Returns an item to send. */
function nextItem(
  text: AnswerText,
  item: AnswerItem,
  { sent, isHurried }: { readonly sent: Sent; readonly isHurried: boolean },
) {
  sent.items += 1;
  sent.text = textOf(text, item);
  return item.kind === 'text' ? textItem(sent.text) : contentItem(item, isHurried);
}

/** Returns the update of the last item that was sent; `undefined` when its text is the same. */
function textFrame(text: AnswerText, sent: Sent): object | undefined {
  const last = text.items[sent.items - 1];
  const wanted = last?.kind === 'text' ? textOf(text, last) : sent.text;
  if (wanted === sent.text) return undefined;
  sent.text = wanted;
  return { text: wanted };
}

/** Returns the text that a text item shows. The last one also shows the block that is still growing. */
function textOf(text: AnswerText, item: AnswerItem): string {
  if (item.kind !== 'text') return '';
  const open = item === text.items.at(-1) ? text.openBlock() : null;
  return open === null ? item.text : `${item.text}\n\n${previewOf(open)}`;
}
