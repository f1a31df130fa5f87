/** Returns whether a text box shows its text in one line. */
export const hasOneLine = (box: HTMLTextAreaElement): boolean =>
  box.scrollHeight < 1.5 * Number.parseFloat(getComputedStyle(box).lineHeight);

/**
 * Returns whether an arrow key cannot move the caret further within the text: the text has one line, or the caret is at its start (`older`, arrow up) or
 * end (`newer`, arrow down).
 */
export function isCaretAtEdge(box: HTMLTextAreaElement, direction: 'older' | 'newer'): boolean {
  const { selectionStart, selectionEnd, value } = box;
  if (selectionStart !== selectionEnd) return false;
  return hasOneLine(box) || selectionStart === (direction === 'older' ? 0 : value.length);
}
