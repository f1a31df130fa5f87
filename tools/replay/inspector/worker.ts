// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { loadedAdapter } from './loadedAdapter.ts';
import { readSource } from './readSource.ts';
import { serveModel } from './serveModel.ts';
import type { Reply, Request } from './protocol/requests.ts';

/** The worker of the inspector: it stores the session and answers the requests of the page. */

/** The time between two progress messages of a load, milliseconds: the page renders each one. */
const PROGRESS_MS = 100;

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
  adapter: loadedAdapter,
  read(source, loader) {
    let reportedAt = -Infinity;
    const onRead = (read: number, total: number) => {
      const now = performance.now();
      if (now - reportedAt < PROGRESS_MS && read !== total) return;
      reportedAt = now;
      send({ progress: { read, total } });
    };
    return readSource(source, { loader, onRead });
  },
});

globalThis.addEventListener('message', ({ data }: MessageEvent<Request>) => answer(data));
