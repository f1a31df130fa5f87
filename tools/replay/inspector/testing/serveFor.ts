import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { parleyApp } from '../../parley/parleyApp.ts';
import { type InspectorContent, startInspector } from '../serve/startInspector.ts';

/** Files of a page with distinct texts. */
export const PAGE_FILES = { script: '/* the page */', style: '/* the style */', worker: '/* the worker */' };

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Serves the inspector for one test; returns functions that send requests as an unknown client and as an admitted browser. */
export async function serveFor(content: Partial<InspectorContent> = {}) {
  const options = { files: PAGE_FILES, app: parleyApp, cwd: process.cwd(), ...content, port: 0 };
  const inspector = await startInspector(options);
  onTestFinished(() => inspector.stop());
  const { port, origin } = new URL(inspector.invitation());
  // Not with fetch, which sets Host and Origin and normalizes paths.
  const ask = async (path: string, { method = 'GET', headers = {}, body }: Asked = {}) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }).end(body);
    const [response]: IncomingMessage[] = await once(asked, 'response');
    if (response === undefined) throw new Error('no response');
    const bytes = await buffer(response);
    return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
  };
  const { pathname, search } = new URL(inspector.invitation());
  const entered = await ask(pathname + search);
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? '';
  const pageSecret = / content="([\w-]{43})"/.exec(entered.text)?.[1] ?? '';
  const authorization = `Bearer ${pageSecret}`;
  const enter = (path: string, { headers, ...rest }: Asked = {}) =>
    ask(path, { ...rest, headers: { cookie, authorization, ...headers } });
  return { inspector, port, origin, ask, cookie, enter, entered };
}

/** Reads the configuration in a page. */
export function configIn(page: string): unknown {
  const text =
    /<script type="application\/json" id="inspector-config">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
  return JSON.parse(text);
}
