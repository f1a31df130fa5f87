/** The names of the highlights in the style sheet. */
const NAMES = { hits: 'find-hit', current: 'find-current' } as const;

type Name = keyof typeof NAMES;

/** Returns the document's highlight: all pictures of windows in a page share it. */
function highlight(name: Name): Highlight {
  const known = CSS.highlights.get(NAMES[name]);
  if (known !== undefined) return known;
  const created = new Highlight();
  created.priority = name === 'current' ? 1 : 0;
  CSS.highlights.set(NAMES[name], created);
  return created;
}

/** Returns a function that replaces the highlighted ranges of one conversation. */
export function createHighlighter(name: Name): (ranges: readonly Range[]) => void {
  let shown: readonly Range[] = [];
  return (ranges) => {
    const all = highlight(name);
    for (const range of shown) all.delete(range);
    for (const range of ranges) all.add(range);
    shown = ranges;
  };
}
