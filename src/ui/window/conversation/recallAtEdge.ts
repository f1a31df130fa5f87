import type { WindowActs } from '../base/WindowActs.ts';

type Direction = Parameters<WindowActs['recallText']>[0];

/**
 * Recalls a text when an arrow key cannot move the caret further within the text of the box; returns whether it did. The caret is then where the same key
 * recalls the next one.
 */
export function recallAtEdge(
  box: HTMLTextAreaElement | null,
  direction: Direction,
  recallText: WindowActs['recallText'],
): boolean {
  if (box === null || !isCaretAtEdge(box, direction) || !recallText(direction)) return false;
  if (direction === 'older' && !hasOneLine(box)) box.setSelectionRange(0, 0);
  return true;
}

/** Returns whether the text has one line, or the caret is at its start (`older`, arrow up) or end (`newer`, arrow down). */
function isCaretAtEdge(box: HTMLTextAreaElement, direction: Direction): boolean {
  const { selectionStart, selectionEnd, value } = box;
  if (selectionStart !== selectionEnd) return false;
  return hasOneLine(box) || selectionStart === (direction === 'older' ? 0 : value.length);
}

/** Returns whether the box shows its text in one line. */
const hasOneLine = (box: HTMLTextAreaElement): boolean =>
  box.scrollHeight < 1.5 * Number.parseFloat(getComputedStyle(box).lineHeight);
