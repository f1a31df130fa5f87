/** A text node, and the index of its first character in the text of its item, in UTF-16 units. */
export interface TextPart {
  readonly node: Text;
  readonly start: number;
}

/**
 * Returns the text nodes of drawn Markdown. In the text they follow each other, with white space between some of them. A node that is not in the text is no
 * part of the message; neither is the picture of a formula, beside which its source is.
 */
export function markdownParts(element: Element, text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
    node instanceof Element && node.localName === 'math'
      ? NodeFilter.FILTER_REJECT
      : NodeFilter.FILTER_ACCEPT,
  );
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const start = node instanceof Text ? findNext(text, node.data, end) : null;
    if (!(node instanceof Text) || start === null) continue;
    parts.push({ node, start });
    end = start + node.data.length;
  }
  return parts;
}

/** Returns the index of the next part of a text, after white space at most; `null` when it is not there. */
function findNext(text: string, part: string, from: number): number | null {
  if (part === '') return null;
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(part, at)) return at;
    if (!/\s/u.test(text.charAt(at))) return null;
  }
  return null;
}
