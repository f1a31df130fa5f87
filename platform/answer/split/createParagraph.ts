/** A paragraph that is longer is cut, if possible at white space. In UTF-16 units. */
export const PARAGRAPH_LENGTH = 4000;

/** Creates a paragraph that is still growing. It knows its last line, which can become the header of a table. */
export function createParagraph() {
  let text = '';
  let lineFrom: number | null = 0;
  let heldFrom: number | null = null;

  const set = (newText: string, from: number | null) => {
    text = newText;
    lineFrom = from;
    heldFrom = null;
  };
  return {
    /** Removes and returns all of it. */
    take(): string {
      const all = text;
      set('', 0);
      return all;
    },
    beginLine() {
      if (text !== '') text += '\n';
      set(text, text.length);
    },
    /** Adds characters up to the maximum length; returns those that are left. */
    append(added: string): string {
      const space = PARAGRAPH_LENGTH - text.length;
      text += added.slice(0, space);
      return added.slice(space);
    },
    isFull: () => text.length >= PARAGRAPH_LENGTH,
    /** Removes and returns what is before the best place for a cut. */
    cut(): string {
      const [before, rest] = cutText(text);
      set(rest, null);
      return before;
    },
    /** Hides the last line until the next one begins. */
    holdLine() {
      heldFrom = lineFrom;
    },
    /** Returns the last line; `undefined` without one, or when it was cut. */
    lastLine: () => (text === '' || lineFrom === null ? undefined : text.slice(lineFrom)),
    /** Removes the last line. If it is the only one, it stays unless it is hidden or `canBeEmpty`. */
    removeLastLine(canBeEmpty: boolean) {
      const before = text.slice(0, Math.max(0, (lineFrom ?? 0) - 1));
      if (before !== '' || heldFrom !== null || canBeEmpty) set(before, 0);
    },
    /** Returns the text without a hidden line. */
    shown: () => text.slice(0, heldFrom ?? undefined),
    isEmpty: () => text === '',
  };
}

/** Cuts a long paragraph after white space in its second half, or between two characters. */
function cutText(text: string): readonly [before: string, rest: string] {
  const space = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1;
  const end = /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
  const at = space > PARAGRAPH_LENGTH / 2 ? space : end;
  return [text.slice(0, at), text.slice(at)];
}
