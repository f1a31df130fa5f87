import type * as Electron from 'electron';
import { onlyWhatIs } from './electronEmitter.ts';

type Check = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<Check>>[1];

/** The browser's name of a feature, and the permission by which Electron asks main for it. */
const FEATURES: readonly {
  feature: string;
  permission: Permission;
  mediaType?: 'audio' | 'video';
}[] = [
  { feature: 'microphone', permission: 'media', mediaType: 'audio' },
  { feature: 'camera', permission: 'media', mediaType: 'video' },
  { feature: 'geolocation', permission: 'geolocation' },
  { feature: 'display-capture', permission: 'display-capture' },
  { feature: 'midi', permission: 'midi' },
  { feature: 'usb', permission: 'usb' },
  { feature: 'serial', permission: 'serial' },
  { feature: 'hid', permission: 'hid' },
];

/** Electron's `session.defaultSession`, and the header that tells a browser what main's handler denies. */
export function createSession() {
  let check: Check = null;
  const defaultSession = onlyWhatIs('Session', {
    setPermissionCheckHandler: (handler: Check) => {
      check = handler;
    },
    /** Nothing to do: the browser itself asks the person. */
    setPermissionRequestHandler: () => {},
    /** Nothing to hear: a browser saves files by its own rules, under the name that a link has. */
    on: () => {},
    /** Nothing to clear: of ours a browser stores only what lets it in again, and no content. */
    clearStorageData: async () => {},
    /** Nothing to clear: every answer says `no-store`. */
    clearCache: async () => {},
  } satisfies Partial<Record<keyof Electron.Session, unknown>>);

  /** The `Permissions-Policy` of a document from this origin; empty when main has no say. */
  const permissionsPolicy = (origin: string): string =>
    FEATURES.filter(({ permission, mediaType }) => {
      const details = { isMainFrame: true, ...(mediaType && { mediaType }) };
      return check?.(null, permission, origin, details) === false;
    })
      .map(({ feature }) => `${feature}=()`)
      .join(', ');

  return { session: onlyWhatIs('session', { defaultSession }), permissionsPolicy };
}
