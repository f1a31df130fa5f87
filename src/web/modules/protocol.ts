import type * as Electron from 'electron';
import { pageSecretTag } from '#loopback/pageSecret.ts';
import { throwOnMissing } from './electronEmitter.ts';

type SchemeHandler = Parameters<Electron.Protocol['handle']>[1];

/** Loads the preload before any script of the page. */
const PRELOAD_TAG = '<script src="/-/preload.js"></script>';

/** Creates Electron's `protocol`, and the function that answers a browser's requests. */
export function createProtocol() {
  const handlers = new Map<string, SchemeHandler>();
  const protocol = throwOnMissing('protocol', {
    /** Does nothing: for the browser, everything is one origin over http. */
    registerSchemesAsPrivileged: () => {},
    handle: (scheme: string, handler: SchemeHandler) => {
      handlers.set(scheme, handler);
    },
  } satisfies Partial<Electron.Protocol>);

  /**
   * Returns main's response to a request for an address of its scheme. HTML gets the page's secret, if there is one, and
   * the preload before its scripts.
   */
  const answer = async (url: string, pageSecret?: string): Promise<Response> => {
    const scheme = url.slice(0, url.indexOf(':'));
    const handler = handlers.get(scheme);
    if (handler === undefined) return new Response(`Nothing answers for ${scheme}:\n`, { status: 404 });
    return withPreload(await handler(new Request(url)), pageSecret);
  };
  return { protocol, answer };
}

async function withPreload(response: Response, pageSecret: string | undefined): Promise<Response> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return response;
  const html = await response.text();
  const first = /<script\b|<\/head\s*>|$/i.exec(html)?.index ?? 0;
  const { status, headers } = response;
  const secretTag = pageSecret === undefined ? '' : pageSecretTag(pageSecret);
  return new Response(html.slice(0, first) + secretTag + PRELOAD_TAG + html.slice(first), {
    status,
    headers,
  });
}

/**
 * Returns the address in main's scheme for a path that a browser requests: `/` is the window's own address, `/x` is `x` at
 * the same host. Returns `null` for a path that tries to leave the host.
 */
export function handlerAddress(windowUrl: string, path: string): string | null {
  if (path === '/') return windowUrl;
  if (/%2f|%5c|%00|\\/i.test(path) || path.split('/').some(isDots)) return null;
  return originOf(windowUrl) + path;
}

/** Returns the origin of an address in main's scheme; `URL` returns none for it. */
export const originOf = (url: string): string => /^[^:]+:\/\/[^/?#]*/.exec(url)?.[0] ?? '';

const isDots = (segment: string) => /^(?:\.|%2e){1,2}$/i.test(segment);

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
