import { displayedCategory, displayedText } from '#shared/conversation/display.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { type TextPart, markdownParts } from '../markdown/markdownParts.ts';
import { isMarkupBlock } from '../export/messageText.ts';
import type { Span } from './hitList.ts';

/** Selects markup that is shown as it is searched: markup that is too large is shown on request only, in parts. */
export const SEARCHED_MARKUP = '.markup:not(:has(> .markup-part))';

/**
 * Returns the text nodes of a drawn item, with their places in the item's text. There are none for an image, and for markup that is too large
 * to show.
 * @param shown the text of an item of a run as it is shown
 */
export function itemParts(element: Element, item: ContentItem, shown?: string): readonly TextPart[] {
  if (shown !== undefined) return markdownParts(element, shown);
  if (displayedCategory(item.category) === 'html') {
    const markup = element.querySelector(SEARCHED_MARKUP);
    return markup === null ? [] : markupParts(markup);
  }
  const text = item.text ?? '';
  const blocks = Array.from(element.querySelectorAll('.item-text, .file > bdi'));
  // The placeholder, or a message of the window.
  if (text === '' || displayedText(text) !== text) return [];
  return plainParts(blocks, text);
}

/** Returns the text nodes of a text, which may be shown in blocks without the line breaks between them. */
function plainParts(blocks: readonly Element[], text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let start = 0;
  for (const [at, block] of blocks.entries()) {
    if (at > 0 && text[start] === '\n') start += 1;
    const nodes = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node instanceof Text; node = nodes.nextNode()) {
      // The characters before it are not drawn.
      if (node.parentElement?.closest('.name-end')) break;
      parts.push({ node, start });
      start += node.data.length;
    }
  }
  return parts;
}

/** Returns the range of a hit; `null` when its beginning is not drawn. */
export function rangeOf(parts: readonly TextPart[], { start, end }: Span): Range | null {
  const partAt = (index: number) => parts.findLast((part) => part.start <= index);
  const first = partAt(start);
  if (first === undefined || start >= first.start + first.node.data.length) return null;
  const last = partAt(end - 1) ?? first;
  const range = document.createRange();
  range.setStart(first.node, start - first.start);
  range.setEnd(last.node, Math.min(end - last.start, last.node.data.length));
  return range;
}

/** Returns the text nodes of markup in order. Blocks, lines and cells are separated, so that no word continues from one to the next. */
export function markupParts(markup: Node): readonly TextPart[] {
  const output: Output = { parts: [], length: 0, isAtBreak: true };
  write(markup, output);
  return output.parts;
}

/** Returns the text of parts, with a line break in each gap between them. */
export function textOfParts(parts: readonly TextPart[]): string {
  let length = 0;
  const texts = parts.map(({ node, start }) => {
    const gap = start > length ? '\n' : '';
    length = start + node.data.length;
    return gap + node.data;
  });
  return texts.join('');
}

interface Output {
  readonly parts: TextPart[];
  length: number;
  /** Whether a separator is before the next text, or no text is. */
  isAtBreak: boolean;
}

function write(node: Node, output: Output): void {
  if (node instanceof Text) {
    if (node.data === '') return;
    output.parts.push({ node, start: output.length });
    output.length += node.data.length;
    output.isAtBreak = false;
    return;
  }
  const tag = node.nodeName.toLowerCase();
  const isSeparate = isMarkupBlock(tag) || tag === 'td' || tag === 'th';
  if (isSeparate) separate(output);
  for (const child of node.childNodes) write(child, output);
  if (isSeparate || tag === 'br') separate(output);
}

function separate(output: Output): void {
  if (output.isAtBreak) return;
  output.length += 1;
  output.isAtBreak = true;
}
