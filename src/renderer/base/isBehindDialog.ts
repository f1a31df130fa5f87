import type { WindowState } from '#shared/actions/windowSchemas.ts';

/**
 * Returns whether a dialog, an alert or the viewer is in front of the window: it gets the keys. The state still contains one that is closed until its
 * event `close`, a task later; a key that is pressed in between is the window's.
 */
export const isBehindDialog = ({ alerts, dialog, viewer }: WindowState): boolean =>
  alerts.waiting.length > 1 ||
  ((alerts.waiting.length > 0 || dialog !== null || viewer !== null) &&
    document.querySelector('dialog[open]') !== null);
