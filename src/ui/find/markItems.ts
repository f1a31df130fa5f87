import type { FoundHit } from '#shared/window/find.ts';
import { rowOf } from '../selection/rowOf.ts';
import type { Hits } from './hitList.ts';
import { SEARCHED_MARKUP } from './itemParts.ts';

/** The items that contain hits. */
interface MarkedItems {
  readonly hits: Pick<Hits, 'in'>;
  readonly current: FoundHit | null;
}

/**
 * Marks the items with hits that are not drawn with the attribute `data-found`: images, whose names are searched, and markup that is too large to
 * show. `null` removes the marks.
 */
export function markItems(log: HTMLElement, marked: MarkedItems | null): void {
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
