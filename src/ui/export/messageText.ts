import type { Message } from '#shared/conversation/conversation.ts';
import { PLACEHOLDER, displayedCategory, displayedText } from '#shared/conversation/display.ts';
import { type Run, markdownRuns, showsNothing } from '#shared/conversation/markdownRuns.ts';
import { type Vector, emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { runTexts } from '../markdown/runTexts.ts';
import { sanitizeForExport } from '../markup/sanitizeHtml.ts';

/** A place in a message, between two characters of an item. */
export interface PlaceInMessage {
  /** The index of the item; infinite after the message's last one. */
  readonly item: number;
  /** The number of characters of the item before the place, as it is shown, in UTF-16 units; infinite at the item's end. */
  readonly offset: number;
}

/** A part of a message. */
export interface MessagePart {
  readonly from: PlaceInMessage;
  readonly to: PlaceInMessage;
}

/** The part that is the whole message. */
export const WHOLE_MESSAGE: MessagePart = {
  from: { item: 0, offset: 0 },
  to: { item: Infinity, offset: 0 },
};

/** A content item, and the part of it. */
export interface ItemPart {
  readonly item: ContentItem;
  /** The index of the item in its message. */
  readonly index: number;
  /** The offset of the first character, in UTF-16 units. */
  readonly start: number;
  /** The offset after the last character; infinite at the item's end. */
  readonly end: number;
}

/** Returns whether a message has items. One without any is shown nowhere. */
export const hasItems = ({ content }: Message): boolean => content !== undefined && content.length > 0;

/** A run of a message, and those parts of its items that are in a part of the message. */
export interface RunPart {
  readonly message: Message;
  readonly run: Run;
  readonly items: readonly ItemPart[];
  readonly isWhole: boolean;
}

/** Returns the runs of a part of a message. */
export function runsOf(message: Message, part: MessagePart): readonly RunPart[] {
  const { content = emptyVector() } = message;
  return markdownRuns(content).flatMap((run) => {
    const items = itemsOf(content, run, part);
    const isWhole = items.length === run.end - run.first && items.every(isWholeItem);
    return items.length === 0 || showsNothing(content, run) ? [] : [{ message, run, items, isWhole }];
  });
}

function itemsOf(content: Vector<ContentItem>, run: Run, { from, to }: MessagePart): readonly ItemPart[] {
  const items: ItemPart[] = [];
  const last = Math.min(to.item, run.end - 1);
  for (let index = Math.max(from.item, run.first); index <= last; index++) {
    const start = index === from.item ? from.offset : 0;
    const end = index === to.item ? to.offset : Infinity;
    if (start < end) items.push({ item: itemAt(content, index) ?? {}, index, start, end });
  }
  return items;
}

/** Returns whether a part is a whole item. */
export const isWholeItem = ({ start, end }: ItemPart): boolean => start === 0 && end === Infinity;

/** Returns a message as plain text: a line with its sender and a colon, then its items. An image or a file is its name. */
export function messageText(message: Message, part: MessagePart = WHOLE_MESSAGE): string {
  const { context = '' } = message;
  const lines = runsOf(message, part)
    .flatMap(textsOfRun)
    .filter((text) => text !== '');
  if (lines.length > 0 && context !== '') lines.unshift(`${context}:`);
  return lines.join('\n');
}

/**
 * Returns the parts of the items of a run as plain text: of Markdown, the text as it is shown. Reasoning is collapsed: only what a person has selected in it
 * is a text.
 */
export function textsOfRun({ message, run, items, isWhole }: RunPart): readonly string[] {
  if (run.format === null) return items.map(itemText);
  if (run.format === 'reasoning' && isWhole) return [];
  const texts = runTexts(message, run);
  if (texts.every((text) => text === '')) return [PLACEHOLDER];
  return items.map(({ index, start, end }) => texts[index - run.first]?.slice(start, end) ?? '');
}

/** Returns a part of an item without a format as plain text. */
export function itemText({ item: { category, text, html }, start, end }: ItemPart): string {
  const kind = displayedCategory(category);
  if (kind === 'html') return markupText(html ?? '', start, end);
  return (kind === 'image' ? text || 'Image' : displayedText(text)).slice(start, end);
}

const BLOCKS = new Set(
  'blockquote center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary ul caption table tr'.split(
    ' ',
  ),
);

/** Returns whether the elements with this name are shown on lines of their own. */
export const isMarkupBlock = (tag: string): boolean => BLOCKS.has(tag);

/** The text that is written so far. */
interface Output {
  text: string;
  /** The number of characters that were read, in UTF-16 units. */
  read: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the text of a message's markup as it is shown, with a line for each block and tabs between the cells of a table. `start` and
 * `end` count the characters of its text nodes, in UTF-16 units.
 */
function markupText(html: string, start: number, end: number): string {
  const fragment = sanitizeForExport(html);
  if (fragment === 'tooLarge') return 'This page is too large to copy.';
  if (fragment === null) return PLACEHOLDER.slice(start, end);
  const output: Output = { text: '', read: 0, start, end };
  write(fragment, output, false);
  return output.text.trim();
}

function write(node: Node, output: Output, isPreformatted: boolean): void {
  if (node instanceof Text) {
    writeText(node.data, output, isPreformatted);
    return;
  }
  const tag = node.nodeName.toLowerCase();
  const isBlock = isMarkupBlock(tag);
  if (isBlock) breakLine(output);
  for (const child of node.childNodes) write(child, output, isPreformatted || tag === 'pre');
  if (isBlock) breakLine(output);
  else if (tag === 'br') output.text += '\n';
  else if ((tag === 'td' || tag === 'th') && node.nextSibling !== null) output.text += '\t';
}

function writeText(data: string, output: Output, isPreformatted: boolean): void {
  const { read, start, end } = output;
  output.read += data.length;
  const part = data.slice(Math.max(0, start - read), Math.max(0, end - read));
  const text = isPreformatted ? part : part.replace(/[\t\n\f\r ]+/gu, ' ');
  output.text += isPreformatted || !/\s$/u.test(output.text) ? text : text.replace(/^ /u, '');
}

function breakLine(output: Output): void {
  if (output.text !== '' && !output.text.endsWith('\n')) output.text = `${output.text.trimEnd()}\n`;
}
