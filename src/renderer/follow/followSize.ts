import { pageResized } from '#shared/actions/windowActions.ts';
import type { Clock } from '#shared/clock.ts';
import { createRest } from '../base/createRest.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

/** The part of a window that has a size. A zoom of the page changes it too. */
interface Sized {
  readonly innerWidth: number;
  readonly innerHeight: number;
  readonly devicePixelRatio: number;
  readonly addEventListener: (type: 'resize', listener: () => void) => void;
}

/** Follows the size of the page: the first one, and each one that a resize or a zoom rests at. */
export function followSize(
  target: Sized,
  { getState, dispatch }: WindowStateStore,
  clock: Pick<Clock, 'after'>,
): void {
  const look = () => {
    const { innerWidth: width, innerHeight: height, devicePixelRatio } = target;
    const pixelRatio = Math.round(devicePixelRatio * 1000) / 1000;
    const { page } = getState().own;
    if (page?.width === width && page.height === height && page.pixelRatio === pixelRatio) return;
    dispatch(pageResized({ width, height, pixelRatio }));
  };
  const rest = createRest(clock);
  look();
  target.addEventListener('resize', () => rest.after(look));
}
