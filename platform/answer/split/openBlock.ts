import type { BlockKind } from './answerItem.ts';
import type { LineStart } from './lineStart.ts';

/** A block that is still growing. */
export interface OpenBlock {
  readonly kind: BlockKind;
  /** The complete lines. */
  readonly lines: string[];
  /** Returns whether the next line belongs to the block, by its beginning. `undefined`: every line does, as in a fence. */
  readonly continues?: (start: LineStart) => boolean;
  /** Takes a complete line that belongs to the block; returns whether it is the last one. */
  push(line: string): boolean;
  /** Returns the block that continues a very long one with the next line; `undefined` when the line does not continue it. */
  readonly nextPiece?: (start: LineStart) => OpenBlock | undefined;
}

/** A list or a table ends at its next item or row when it is longer: the cost of one item stays small. In UTF-16 units. */
const PIECE_LENGTH = 4000;
const PIECE_LINES = 200;

/** Returns a function that adds a line to `lines`, and the length so far. */
export function countedLines(first: readonly string[] = []) {
  const lines = [...first];
  let length = first.join('\n').length;
  return {
    lines,
    isLong: () => length > PIECE_LENGTH || lines.length > PIECE_LINES,
    push(line: string) {
      lines.push(line);
      length += line.length + 1;
      return false;
    },
  };
}
