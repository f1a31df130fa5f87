import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useMemo } from 'react';
import type { VirtualizerHandle } from 'virtua';

/** Where the target is in the view after the scroll; `nearest` scrolls only as far as necessary. */
export type Align = 'start' | 'center' | 'end' | 'nearest';

/** Returns the position of a part of a row; `null` while the part is not in the document. */
export type PartOf = (row: HTMLElement) => DOMRect | null;

/**
 * Scrolls the list of messages by program. A scroll takes several frames, because rows are measured when they are drawn. An update, the
 * next scroll, and a key, wheel or pointer of the person end it.
 */
export interface ListHandle {
  /** Scrolls to a message, which need not be in the document, or to a part of it. */
  scrollToRow(index: number, align: Align, part?: PartOf): void;
  /** Scrolls a message to where it begins this many pixels below the top of the view. */
  scrollToPlace(index: number, offset: number): void;
  /** Returns a function that scrolls back to the current position: to the bottom, or to the same pixel of the same row. */
  rememberPosition(): () => void;
}

interface Options {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Set while the list is virtualised. */
  readonly virtualizer: RefObject<VirtualizerHandle | null>;
  /** The number of applied updates: each one scrolls to the bottom. */
  readonly appliedUpdates: number;
}

/** Provides the list's handle to `ref`. */
export function useListHandle(
  ref: Ref<ListHandle> | undefined,
  { scroller, virtualizer, appliedUpdates }: Options,
): void {
  const list = useMemo(() => createListHandle(scroller, virtualizer), [scroller, virtualizer]);
  useImperativeHandle(ref, () => list.handle, [list]);
  // Ends a scroll before the next update, and with the list.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useLayoutEffect(() => list.stop, [appliedUpdates, list]);
}

/** Maximum distance from the bottom, in pixels, that still counts as the bottom. */
const NEAR = 4;

function createListHandle(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: RefObject<VirtualizerHandle | null>,
) {
  let stop: (() => void) | undefined;
  const scroll = (distance: (log: HTMLElement) => number) => {
    stop?.();
    if (scroller.current !== null) stop = scrollUntilSettled(scroller.current, distance);
  };
  const distanceToRow = (log: HTMLElement, index: number, toRow: (row: HTMLElement) => number): number => {
    const row = log.querySelector<HTMLElement>(`[data-row="${index}"]`);
    if (row !== null) return toRow(row);
    const middle = (virtualizer.current?.getItemOffset(index) ?? log.scrollTop) - log.clientHeight / 2;
    return middle - log.scrollTop;
  };
  const scrollToPlace = (index: number, offset: number) =>
    scroll((log) => distanceToRow(log, index, (row) => offsetOf(row, log) - offset));
  const handle: ListHandle = {
    scrollToPlace,
    scrollToRow: (index, align, part) =>
      scroll((log) =>
        distanceToRow(log, index, (row) =>
          distanceTo(part?.(row) ?? row.getBoundingClientRect(), log.getBoundingClientRect(), align),
        ),
      ),
    rememberPosition() {
      const top = scroller.current === null ? undefined : topRow(scroller.current);
      if (top === undefined) return () => scroll(distanceToBottom);
      const { index, offset } = top;
      return () => scrollToPlace(index, offset);
    },
  };
  return { handle, stop: () => stop?.() };
}

const distanceToBottom = ({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number =>
  scrollHeight - clientHeight - scrollTop;

/** Returns how far below the top of the view a row begins, in pixels of the log, which may be in a scaled picture. */
function offsetOf(row: HTMLElement, log: HTMLElement): number {
  const { top, height } = log.getBoundingClientRect();
  const scale = height === 0 ? 1 : height / log.offsetHeight;
  return (row.getBoundingClientRect().top - top) / scale;
}

/** Returns the first row in view, and how far below the top of the view it begins, in pixels; `undefined` at the bottom. */
export function topRow(log: HTMLElement): { readonly index: number; readonly offset: number } | undefined {
  if (distanceToBottom(log) <= NEAR) return undefined;
  const { top } = log.getBoundingClientRect();
  const rows = Array.from(log.querySelectorAll<HTMLElement>('[data-row]'));
  const row = rows.find((one) => one.getBoundingClientRect().bottom > top);
  return row && { index: Number(row.dataset['row']), offset: offsetOf(row, log) };
}

/** Returns how far to scroll for a target, in pixels. A target that is higher than the view begins at the view's top. */
export function distanceTo(
  target: Pick<DOMRect, 'top' | 'bottom'>,
  view: Pick<DOMRect, 'top' | 'bottom'>,
  align: Align,
): number {
  const [start, end] = [target.top - view.top, target.bottom - view.bottom];
  if (align === 'nearest' && start >= 0 && end <= 0) return 0;
  const isHigher = end - start > 0;
  if (align === 'start' || isHigher) return start;
  if (align === 'end') return end;
  if (align === 'center') return (start + end) / 2;
  return start < 0 ? start : end;
}

/** Number of frames without a change after which a scroll has settled, and after which it ends in any case. */
const SETTLED_FRAMES = 3;
const MOST_FRAMES = 60;
const BY_PERSON = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const;

/** Scrolls in each frame by the distance that is left, until none is; returns a function that ends it. */
function scrollUntilSettled(log: HTMLElement, distance: (log: HTMLElement) => number): () => void {
  let frame = 0;
  let settled = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const type of BY_PERSON) window.removeEventListener(type, stop, true);
  };
  const step = (count: number) => {
    // Not earlier: the event that caused the scroll may still be on its way.
    if (count === 1)
      for (const type of BY_PERSON) window.addEventListener(type, stop, { capture: true, passive: true });
    const before = log.scrollTop;
    const by = distance(log);
    if (Math.abs(by) >= 0.5) scrollFor(log, { top: before + by });
    settled = log.scrollTop === before ? settled + 1 : 0;
    if (settled === SETTLED_FRAMES || count === MOST_FRAMES) stop();
    else frame = requestAnimationFrame(() => step(count + 1));
  };
  step(0);
  return stop;
}

/** The event at an element that `scrollFor` has scrolled. */
export const SCROLLED_FOR = 'scrolledfor';

/**
 * Scrolls the conversation in one step to where the person wants to be. The conversation stays there while rows are measured. A plain scroll
 * can be lost: the browser reports it one frame later, and until then a row of another size brings the view back to the newest message.
 */
export function scrollFor(log: HTMLElement, to: { readonly top: number }): void {
  log.scrollTo({ top: to.top, behavior: 'instant' });
  log.dispatchEvent(new Event(SCROLLED_FOR));
}

/** Scrolls a message of the conversation into the view, as {@link scrollFor} does. */
export function scrollIntoViewFor(
  log: HTMLElement,
  message: HTMLElement,
  block: ScrollLogicalPosition,
): void {
  message.scrollIntoView({ block });
  log.dispatchEvent(new Event(SCROLLED_FOR));
}
