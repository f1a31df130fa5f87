// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { isJsonObject } from '#shared/json.ts';
import { stackOf } from '../adapter/stackOf.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import type { StoreAdapter } from '../store/storeAdapter.ts';
import { adapterApp, storeApp } from './model/apps/adapter.ts';
import { parleyApp } from './model/apps/parley.ts';
import { type AppOfCapture, type InspectedApp, SessionError } from './model/trace/app.ts';
import { ADAPTER_SCOPE, appExports } from './protocol/appScripts.ts';
import type { Reply, Request } from './protocol/protocol.ts';
import { readSource } from './readSource.ts';
import { serveModel } from './serveModel.ts';

/** The worker of the inspector: it stores the session and answers the requests of the page. */

type ShownAdapter = AppAdapter | StoreAdapter;

const send = (reply: Reply): void => globalThis.postMessage(reply, {});

const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port2.addEventListener('message', () => waiting.shift()?.());
port2.start();

/** Waits for a message to itself, because a timer would take longer than a time slice. */
const yieldToMessages = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve);
    port1.postMessage(undefined);
  });

const answer = serveModel({
  send,
  now: () => performance.now(),
  yieldToMessages,
  app: loadedApp,
  read: readSource,
});

globalThis.addEventListener('message', ({ data }: MessageEvent<Request>) => answer(data));

/**
 * Returns the app of the adapter in the script before this one; without such a script, Parley. The command has checked the adapter.
 * @throws {SessionError} when the adapter threw in the browser.
 */
function loadedApp(): InspectedApp | AppOfCapture {
  try {
    const loaded = appExports(ADAPTER_SCOPE);
    const adapter = isJsonObject(loaded) ? (loaded.adapter ?? loaded.default) : undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const shown = adapter as ShownAdapter | undefined;
    if (shown === undefined) return parleyApp;
    return 'createStore' in shown ? storeApp(shown) : adapterApp(shown);
  } catch (error) {
    throw new SessionError(`The adapter threw when the browser loaded it: ${stackOf(error)}`, {
      cause: error,
    });
  }
}
