import { request } from 'node:http';
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

/** An HTTP response. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Creates a function that sends requests. Uses node:http, because fetch sets Host and Origin and normalizes paths. */
const createHttpClient =
  (port: number) =>
  (path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const { statusCode: status = 0, headers: got } = response;
          resolve({ status, headers: got, bytes, text: bytes.toString() });
        });
      });
      asked.on('error', reject).end(body);
    });

/** Serves the inspector for one test; returns functions that send requests as an unknown client and as an admitted browser. */
export async function serveFor(content: Partial<InspectorContent> = {}) {
  const options = { files: PAGE_FILES, app: parleyApp, cwd: process.cwd(), ...content, port: 0 };
  const inspector = await startInspector(options);
  onTestFinished(() => inspector.stop());
  const { port, origin } = new URL(inspector.invitation());
  const ask = createHttpClient(Number(port));
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
