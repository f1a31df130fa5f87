import type { GrowingBlock } from './split/createSplitter.ts';

/** Maximum length of the end of a block that is shown while it grows, in UTF-16 units. */
const PREVIEW_LENGTH = 2000;

/** Returns the end of a block that is still growing, as it is written: complete lines, after a line `…` when it is cut. */
export function previewOf({ block, line }: GrowingBlock): string {
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
