import { type Message, MISSING_MESSAGE } from '#shared/conversation/conversation.ts';
import { type Vector, emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import type { FoundHit } from '#shared/actions/windowSchemas.ts';
import { rowOf } from '../export/selectedRange.ts';
import type { Hits, Span } from './hitList.ts';
import { shownTextAt } from '../markdown/runTexts.ts';
import type { TextPart } from '../markdown/markdownParts.ts';
import { SEARCHED_MARKUP, itemParts, rangeOf } from './itemParts.ts';

/** How far outside the view hits are marked, in pixels. */
const MARGIN = 500;
/** Maximum number of hits of an item that are marked: about ten views of text. */
const MOST_MARKED = 2000;

/** What is marked. */
export interface Marked {
  readonly messages: Vector<Message>;
  readonly hits: Hits;
  readonly current: FoundHit | null;
}

/**
 * Marks the hits in the rows that are in the document, with CSS highlights, which add no elements; also in rows that are drawn, scrolled into view
 * or changed later.
 */
export function watchHits(log: HTMLElement) {
  const mark = { hits: createHighlighter('hits'), current: createHighlighter('current') };
  let marked: Marked | undefined;
  let frame = 0;
  const draw = () => {
    frame = 0;
    if (marked === undefined) return;
    mark.hits(rangesIn(log, marked));
    const current = marked.current && hitRange(log, marked, marked.current);
    mark.current(current ? [current] : []);
    markItems(log, marked);
  };
  const redraw = () => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const changes = new MutationObserver(redraw);
  changes.observe(log, { childList: true, characterData: true, subtree: true });
  log.addEventListener('scroll', redraw, { passive: true });
  return {
    /** Replaces what is marked. */
    show(next: Marked) {
      marked = next;
      redraw();
    },
    stop() {
      cancelAnimationFrame(frame);
      changes.disconnect();
      log.removeEventListener('scroll', redraw);
      mark.hits([]);
      mark.current([]);
      markItems(log, null);
    },
  };
}

/** Returns the range of a hit; `null` while it is not in the document. */
export function hitRange(log: HTMLElement, { messages, hits }: Marked, hit: FoundHit): Range | null {
  const row = log.querySelector(`[data-row="${hit.message}"]`);
  const message = itemAt(messages, hit.message) ?? MISSING_MESSAGE;
  const item = itemAt(message.content ?? emptyVector<ContentItem>(), hit.item);
  const element = row?.querySelectorAll('[data-kind]')[hit.item];
  if (item === undefined || element === undefined) return null;
  const end = hits.endOf(hit);
  const shown = shownTextAt(message, hit.item);
  return end === undefined ? null : rangeOf(itemParts(element, item, shown), { start: hit.start, end });
}

type View = Pick<DOMRect, 'top' | 'bottom'>;

/** Returns the ranges of the hits in the rows in and near the view. */
function rangesIn(log: HTMLElement, { messages, hits }: Marked): Range[] {
  const { top, bottom } = log.getBoundingClientRect();
  const view = { top: top - MARGIN, bottom: bottom + MARGIN };
  const ranges: Range[] = [];
  for (const row of log.querySelectorAll<HTMLElement>('[data-row]')) {
    const index = Number(row.dataset['row']);
    if (!hits.has(index) || !isIn(view, row)) continue;
    const message = itemAt(messages, index) ?? MISSING_MESSAGE;
    const content = message.content ?? emptyVector<ContentItem>();
    for (const [at, element] of row.querySelectorAll('[data-kind]').entries()) {
      const item = itemAt(content, at);
      if (item === undefined || !isIn(view, element)) continue;
      const parts = partsIn(view, itemParts(element, item, shownTextAt(message, at)));
      const [first, last] = [parts[0], parts.at(-1)];
      if (first === undefined || last === undefined) continue;
      const spans = hits.in(index, at, { start: first.start, end: last.start + last.node.data.length });
      ranges.push(...rangesOf(view, parts, spans));
    }
  }
  return ranges;
}

const isIn = (view: View, element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom >= view.top && top <= view.bottom;
};

/** Returns the parts whose blocks are in the view. */
function partsIn(view: View, parts: readonly TextPart[]): readonly TextPart[] {
  const known = new Map<Element | null, boolean>();
  return parts.filter(({ node }) => {
    const block = node.parentElement?.closest('.item-text') ?? node.parentElement;
    const isBlockIn = known.get(block) ?? (block !== null && isIn(view, block));
    known.set(block, isBlockIn);
    return isBlockIn;
  });
}

function rangesOf(view: View, parts: readonly TextPart[], spans: readonly Span[]): readonly Range[] {
  const first = spans.length > MOST_MARKED ? firstInView(view, parts, spans) : 0;
  return spans.slice(first, first + MOST_MARKED).flatMap((span) => rangeOf(parts, span) ?? []);
}

/** Returns the index of the first hit in the view, by a binary search: hits are from top to bottom. */
function firstInView(view: View, parts: readonly TextPart[], spans: readonly Span[]): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const span = spans[middle];
    const range = span && rangeOf(parts, span);
    if (range && range.getBoundingClientRect().bottom < view.top) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The items that contain hits. */
interface MarkedItems {
  readonly hits: Pick<Hits, 'in'>;
  readonly current: FoundHit | null;
}

/**
 * Marks the items with hits that are not drawn with the attribute `data-found`: images, whose names are searched, and markup that is too large to
 * show. `null` removes the marks.
 */
function markItems(log: HTMLElement, marked: MarkedItems | null): void {
  for (const element of log.querySelectorAll<HTMLElement>('[data-kind="image"], [data-kind="html"]')) {
    const state = marked && hidesText(element) ? stateOf(element, marked) : null;
    if (state === null) element.removeAttribute('data-found');
    else element.setAttribute('data-found', state);
  }
}

/** Returns whether an item does not draw the text that is searched. */
const hidesText = (element: HTMLElement): boolean =>
  element.dataset['kind'] === 'image'
    ? element.querySelector('img') !== null
    : element.querySelector(SEARCHED_MARKUP) === null;

function stateOf(element: HTMLElement, { hits, current }: MarkedItems): 'hit' | 'current' | null {
  const message = rowOf(element);
  if (message === undefined) return null;
  const items = element.closest('[data-row]')?.querySelectorAll('[data-kind]') ?? [];
  const item = Array.from(items).indexOf(element);
  if (hits.in(message, item).length === 0) return null;
  return current?.message === message && current.item === item ? 'current' : 'hit';
}

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
function createHighlighter(name: Name): (ranges: readonly Range[]) => void {
  let shown: readonly Range[] = [];
  return (ranges) => {
    const all = highlight(name);
    for (const range of shown) all.delete(range);
    for (const range of ranges) all.add(range);
    shown = ranges;
  };
}
