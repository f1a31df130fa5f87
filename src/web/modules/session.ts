import type * as Electron from 'electron';
import { throwOnMissing } from './electronEmitter.ts';

type Check = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type Permission = Parameters<NonNullable<Check>>[1];

/** The browser's name of each feature, with Electron's permission for it. */
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

/** Creates Electron's `session.defaultSession`, and the header with the features that main's handler denies. */
export function createSession() {
  let check: Check = null;
  const defaultSession = throwOnMissing('Session', {
    setPermissionCheckHandler: (handler: Check) => {
      check = handler;
    },
    /** Does nothing: the browser itself asks the person. */
    setPermissionRequestHandler: () => {},
    /** Does nothing: a browser saves files by its own rules, under the link's name. */
    on: () => {},
    /** Does nothing: a browser stores only the cookie and the page's secret, and no content. */
    clearStorageData: async () => {},
    /** Does nothing: every response has `no-store`. */
    clearCache: async () => {},
  } satisfies Partial<Record<keyof Electron.Session, unknown>>);

  /** Returns the `Permissions-Policy` of a document from this origin; empty when main denies nothing. */
  const permissionsPolicy = (origin: string): string =>
    FEATURES.filter(({ permission, mediaType }) => {
      const details = { isMainFrame: true, ...(mediaType && { mediaType }) };
      return check?.(null, permission, origin, details) === false;
    })
      .map(({ feature }) => `${feature}=()`)
      .join(', ');

  return { session: throwOnMissing('session', { defaultSession }), permissionsPolicy };
}
