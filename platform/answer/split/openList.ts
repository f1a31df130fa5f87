import { closesFence } from './openCode.ts';
import { type LineStart, columnsOf } from './lineStart.ts';
import { type OpenBlock, countedLines } from './openBlock.ts';

const MARKER = /^(?<indent>[ \t]*)(?<marker>[-+*]|\d{1,9}[.)])(?<space>[ \t]*)(?<rest>.*)$/;
const FENCE = /^(?:[ \t]*(?:[-+*]|\d{1,9}[.)]|>)(?=[ \t]))*[ \t]*(?<fence>`{3,}|~{3,})(?<info>.*)$/;
/** White space after a marker that is more than this is code in the item. In columns. */
const MOST_SPACE = 4;

/**
 * Opens a list. It ends at the first line that belongs to none of its items: a line with less indentation than the item's text, except the
 * next item and, without a blank line before it, the rest of a paragraph.
 */
export function openList(): OpenBlock {
  const { lines, isLong, push } = countedLines();
  let offset = 0;
  let isAfterBlank = false;
  let fence: string | null = null;

  const isLazy = ({ kind }: LineStart) =>
    !isAfterBlank && fence === null && (kind === 'text' || kind === 'pipe' || kind === 'indented');

  return {
    kind: 'list',
    lines,
    continues(start) {
      if (start.kind === 'blank' || start.indent >= offset) return true;
      return start.kind === 'list' ? !isLong() : isLazy(start);
    },
    push(line) {
      const indent = columnsOf(/^[ \t]*/.exec(line)?.[0] ?? '');
      if (line.trim() !== '' && indent < offset) fence = null;
      if (indent < offset || lines.length === 0) offset = offsetOf(line) ?? offset;
      fence = fenceAfter(line, fence);
      isAfterBlank = line.trim() === '';
      return push(line);
    },
  };
}

/** Returns the column at which the text of a list item begins; `undefined` when the line begins none. */
function offsetOf(line: string): number | undefined {
  const { indent = '', marker, space = '', rest } = MARKER.exec(line)?.groups ?? {};
  if (marker === undefined || (space === '' && rest !== '')) return undefined;
  const start = columnsOf(indent) + marker.length;
  const width = columnsOf(indent + ' '.repeat(marker.length) + space) - start;
  return start + (rest === '' || width > MOST_SPACE ? 1 : width);
}

/** Returns the fence that is open after a line. */
function fenceAfter(line: string, open: string | null): string | null {
  if (open !== null) return closesFence(line, open) ? null : open;
  const { fence, info = '' } = FENCE.exec(line)?.groups ?? {};
  return fence === undefined || (fence.startsWith('`') && info.includes('`')) ? null : fence;
}
