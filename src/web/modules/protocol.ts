import type * as Electron from 'electron';
import { pageSecretTag } from '#loopback/pageSecret.ts';
import { onlyWhatIs } from './electronEmitter.ts';

type SchemeHandler = Parameters<Electron.Protocol['handle']>[1];

/** What the page is made ready with, before any script of its own. */
const PRELOAD_TAG = '<script src="/-/preload.js"></script>';

/** Electron's `protocol`, and the way in for what a browser requests. */
export function createProtocol() {
  const handlers = new Map<string, SchemeHandler>();
  const protocol = onlyWhatIs('protocol', {
    /** Nothing to do: to the browser all of it is one origin over http. */
    registerSchemesAsPrivileged: () => {},
    handle: (scheme: string, handler: SchemeHandler) => {
      handlers.set(scheme, handler);
    },
  } satisfies Partial<Electron.Protocol>);

  /**
   * Main's own response to a request for an address of its scheme; HTML with the page's secret, if there is one, and with the
   * preload before its scripts.
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
 * The address, in main's scheme, of what a browser requests: `/` is the window's own address, `/x` is `x` at the
 * same host. `null` for a path that tries to leave it.
 */
export function addressOf(windowUrl: string, path: string): string | null {
  if (path === '/') return windowUrl;
  if (/%2f|%5c|%00|\\/i.test(path) || path.split('/').some(isDots)) return null;
  return originOf(windowUrl) + path;
}

/** The origin of an address in a scheme of main's own, which `URL` says is none. */
export const originOf = (url: string): string => /^[^:]+:\/\/[^/?#]*/.exec(url)?.[0] ?? '';

const isDots = (segment: string) => /^(?:\.|%2e){1,2}$/i.test(segment);
