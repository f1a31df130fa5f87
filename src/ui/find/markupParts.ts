import { isMarkupBlock } from '../export/markupText.ts';

/** A text node, and the index of its first character in the text of its item, in UTF-16 units. */
export interface TextPart {
  readonly node: Text;
  readonly start: number;
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
