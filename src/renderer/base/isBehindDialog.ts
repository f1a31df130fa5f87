import type { OwnState } from '#shared/window/ownReducer.ts';

/** Returns whether a dialog, an alert or the viewer is in front of the window: it gets the keys. */
export const isBehindDialog = ({ alerts, dialog, viewer }: OwnState): boolean =>
  alerts.waiting.length > 0 || dialog !== null || viewer !== null;
