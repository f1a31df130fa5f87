import type { ContentItem } from '#shared/protocol/update.ts';
import type { Clock } from '#shared/clock.ts';
import type { AnswerText } from './createAnswerText.ts';
import type { AnswerItem } from './answerItem.ts';
import type { GrowingBlock } from './createSplitter.ts';
import { blockHtml, plainHtml, reasoningHtml } from './itemHtml.ts';

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
interface Frames {
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

/** Minimum interval between two numbers of lines in the label. */
const LINES_INTERVAL_MS = 1000;
const WRITING = ' is writing…';

/** What an answer does. */
interface Activity {
  readonly isThinking: boolean;
  /** The block that is still growing and that the answer does not show. */
  readonly hidden: GrowingBlock | null;
}

/**
 * Creates the label of a running answer. `label` is that of an answer that shows what it writes: “Parley is writing…”. The others are made from
 * it when it ends like this. Each of them ends with `…`.
 */
function createLabel(label: string, clock: Clock): (activity: Activity) => string {
  let lines = 0;
  let linesAt = Number.NEGATIVE_INFINITY;

  const shownLines = (count: number) => {
    if (count < lines || clock.now() >= linesAt + LINES_INTERVAL_MS) {
      lines = count;
      linesAt = clock.now();
    }
    return lines;
  };
  const blockLabel = ({ block }: GrowingBlock, name: string) => {
    if (block.kind !== 'code') return `${name} is writing a ${block.kind}…`;
    const count = shownLines(block.lines.length - 1);
    return count > 1 ? `${name} is writing code, ${count} lines…` : `${name} is writing code…`;
  };
  return ({ isThinking, hidden }) => {
    if (!label.endsWith(WRITING)) return label;
    const name = label.slice(0, -WRITING.length);
    if (isThinking) return `${name} is thinking…`;
    return hidden === null ? label : blockLabel(hidden, name);
  };
}

/** Maximum length of the end of a block that is shown while it grows, in UTF-16 units. */
const PREVIEW_LENGTH = 2000;

/** Returns the end of a block that is still growing, as it is written: complete lines, after a line `…` when it is cut. */
function previewOf({ block, line }: GrowingBlock): string {
  const shown = [line.slice(-PREVIEW_LENGTH)];
  let length = shown.join('').length;
  let from = block.lines.length;
  for (; from > 0; from -= 1) {
    const previous = block.lines[from - 1] ?? '';
    length += previous.length + 1;
    if (length > PREVIEW_LENGTH) break;
    shown.unshift(previous);
  }
  const isCut = from > 0 || line.length > PREVIEW_LENGTH;
  return (isCut ? ['…', ...shown] : shown).join('\n').trimEnd().toWellFormed();
}

/** Returns a text item. */
const textItem = (text: string): ContentItem => ({ category: 'text', text, html: null, blob: null });

/** A note has a field of its own, which clients keep. */
const noteItem = (text: string): ContentItem & { readonly note: true } => ({ ...textItem(text), note: true });

const htmlItem = (html: string, text: string | null): ContentItem => ({
  category: 'html',
  text,
  html,
  blob: null,
});

/**
 * Returns the content item of an answer's item (spec §2.4). A block keeps its Markdown in `text`, for `sourceOf`; reasoning and notes, which
 * the endpoint does not get back, do not.
 *
 * @param isPlain whether Markdown is shown as it is written, without a parser.
 */
function contentItem(item: AnswerItem, isPlain: boolean): ContentItem {
  if (item.kind === 'text') return textItem(item.text);
  if (item.kind === 'note') return noteItem(item.text);
  if (item.kind === 'reasoning')
    return htmlItem(isPlain ? plainHtml(item.source) : reasoningHtml(item.source), null);
  return htmlItem(isPlain ? plainHtml(item.source) : blockHtml(item.kind, item.source), item.source);
}
