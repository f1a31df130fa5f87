import type { Action } from '@reduxjs/toolkit';

interface Marks {
  /** The number of the window that is the source; `undefined` for a menu, the tray or a shortcut. */
  readonly window: number | undefined;
  /** The number of the pending request. */
  readonly request?: number | undefined;
}

/** Returns an act with its source, and the number of its request, in `meta`. */
export const markAct = <A extends Action>(act: A, { window, request }: Marks) => ({
  ...act,
  meta: {
    ...('meta' in act && typeof act.meta === 'object' && act.meta),
    ...(window !== undefined && { window }),
    ...(request !== undefined && { request }),
  },
});
