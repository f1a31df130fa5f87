import type { Message } from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { markdownParts } from '../markdown/markdownParts.ts';
import { shownTextAt } from '../markdown/runTexts.ts';
import type { PlaceInMessage } from './messageText.ts';

/** A place in the conversation. */
export interface Place extends PlaceInMessage {
  /** The index of the message. */
  readonly row: number;
}

/** A selected part of the conversation. */
export interface SelectedRange {
  readonly from: Place;
  readonly to: Place;
}

/**
 * Returns the part of the conversation that is selected. Only the rows with its ends must be in the document. Returns `null` when the
 * selection is outside the log, or within one row, which the browser copies by itself.
 */
export function selectedRange(log: HTMLElement, messages: Vector<Message>): SelectedRange | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const { startContainer, startOffset, endContainer, endOffset } = range;
  if (!range.intersectsNode(log)) return null;
  const rows = Array.from(log.querySelectorAll<HTMLElement>('[data-row]'));
  const place = (node: Node, offset: number) =>
    placeOf(pointAt(node, offset), rows, messages) ?? endOf(messages.length - 1);
  const [from, to] = [place(startContainer, startOffset), place(endContainer, endOffset)];
  return isInOneRow(startContainer, from, to) ? null : { from, to };
}

/** Returns whether a selection is within one row, or ends before the next one, as after a triple click. */
const isInOneRow = (start: Node, from: Place, to: Place): boolean =>
  rowOf(start) !== undefined &&
  (from.row === to.row || (from.row + 1 === to.row && to.item === 0 && to.offset === 0));

/** Returns the place after a row's items. */
const endOf = (row: number): Place => ({ row, item: Infinity, offset: 0 });

function pointAt(node: Node, offset: number): Range {
  const point = document.createRange();
  point.setStart(node, offset);
  return point;
}

/** Returns the place of a point; `null` after the last row that is in the document. Before the first one, it is the conversation's start. */
function placeOf(point: Range, rows: readonly HTMLElement[], messages: Vector<Message>): Place | null {
  const at = rows.findIndex((row) => position(point, row) <= 0);
  const row = rows[at];
  if (row === undefined) return null;
  const index = Number(row.dataset['row']);
  if (position(point, row) < 0) return { row: at === 0 ? 0 : index, item: 0, offset: 0 };
  const items = Array.from(row.querySelectorAll('[data-kind]'));
  const item = items.findIndex((one) => position(point, one) <= 0);
  const element = items[item];
  if (element === undefined) return endOf(index);
  const shown = shownTextAt(itemAt(messages, index) ?? {}, item);
  const offset = shown === undefined ? offsetIn(element, point) : offsetInMarkdown(element, point, shown);
  return { row: index, item, offset };
}

/** Returns whether a point is before (-1), in (0) or after (1) a node. */
function position({ startContainer, startOffset }: Range, node: Node): number {
  const whole = document.createRange();
  whole.selectNode(node);
  return whole.comparePoint(startContainer, startOffset);
}

/** Returns the number of characters of an item of a run before a point, in its text as it is shown. */
function offsetInMarkdown(element: Element, point: Range, shown: string): number {
  const before = markdownParts(element, shown).findLast(({ node }) => position(point, node) >= 0);
  if (before === undefined) return 0;
  const { node, start } = before;
  return start + (node === point.startContainer ? point.startOffset : node.data.length);
}

/** Returns the number of characters of an item before a point; infinite after an image or a clipped text. */
function offsetIn(item: Element, point: Range): number {
  const content = item.querySelector('.audio-text') ?? item;
  if (position(point, content) < 0) return 0;
  const more = content.querySelector('.more');
  if (more !== null && position(point, more) >= 0) return Infinity;
  const before = document.createRange();
  before.setStart(content, 0);
  before.setEnd(point.startContainer, point.startOffset);
  const isAfterImage = before.cloneContents().querySelector('.picture') !== null;
  return isAfterImage ? Infinity : before.toString().length;
}

/** Returns the index of the row that contains a node, or `undefined`. */
export function rowOf(node: Node | null): number | undefined {
  if (node === null) return undefined;
  const element = node instanceof Element ? node : node.parentElement;
  const row = element?.closest<HTMLElement>('[data-row]')?.dataset['row'];
  return row === undefined ? undefined : Number(row);
}
