/** A text node, or a formula, and its place in the text of its item, in UTF-16 units. */
export interface TextPart {
  readonly node: Text | Element;
  readonly start: number;
  readonly length: number;
}

/**
 * Returns the text nodes and the formulas of drawn Markdown. In the text they follow each other, with separators between some of them; what is not in the text
 * is not a part of the message.
 */
export function markdownParts(element: Element, text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const [node, data] of drawnTexts(element)) {
    const start = findNext(text, data, end);
    if (start === null) continue;
    parts.push({ node, start, length: data.length });
    end = start + data.length;
  }
  return parts;
}

/** Yields the text nodes and the formulas with their texts. */
function* drawnTexts(element: Element): Generator<readonly [node: Text | Element, text: string]> {
  for (const child of element.childNodes) {
    if (child instanceof Text && child.data !== '') yield [child, child.data];
    else if (child instanceof Element) {
      const formula = child.localName === 'math' ? child.querySelector('annotation') : null;
      if (formula === null) yield* drawnTexts(child);
      else yield [child, formula.textContent];
    }
  }
}

/** Returns the index of the next part of a text, after separators at most; `null` when it is not there. */
function findNext(text: string, part: string, from: number): number | null {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(part, at)) return at;
    if (!/\s/u.test(text.charAt(at))) return null;
  }
  return null;
}
