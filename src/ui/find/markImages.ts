import type { FoundHit } from '#shared/window/find.ts';
import { rowOf } from '../selection/rowOf.ts';
import type { Hits } from './hitList.ts';

/** The images whose names are hits. */
interface MarkedImages {
  readonly hits: Pick<Hits, 'in'>;
  readonly current: FoundHit | null;
}

/** Marks the images whose names are hits with the attribute `data-found`, because their names are not drawn; `null` removes the marks. */
export function markImages(log: HTMLElement, marked: MarkedImages | null): void {
  for (const image of log.querySelectorAll<HTMLElement>('[data-kind="image"]')) {
    const state = marked && image.querySelector('img') && stateOf(image, marked);
    if (state === null) image.removeAttribute('data-found');
    else image.setAttribute('data-found', state);
  }
}

function stateOf(image: HTMLElement, { hits, current }: MarkedImages): 'hit' | 'current' | null {
  const message = rowOf(image);
  if (message === undefined) return null;
  const items = image.closest('[data-row]')?.querySelectorAll('[data-kind]') ?? [];
  const item = Array.from(items).indexOf(image);
  if (hits.in(message, item).length === 0) return null;
  return current?.message === message && current.item === item ? 'current' : 'hit';
}
