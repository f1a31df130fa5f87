import { z } from 'zod';
import { readSource } from './readSource.ts';
import { serveModel } from './serveModel.ts';
import type { Reply, Request } from './protocol/protocol.ts';

/** The inspector's worker: a session lives here, and the page asks for what it shows. */

// The worker’s policy forbids `eval`; zod would try it, and the browser would say so.
z.config({ jitless: true });

/** Of a long load so many are told. */
const PROGRESS_BYTES = 1024 * 1024;

const send = (reply: Reply): void => globalThis.postMessage(reply, {});

const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port2.addEventListener('message', () => waiting.shift()?.());
port2.start();

/** A timer would wait longer than a slice takes. */
const turn = () =>
  new Promise<void>((resolve) => {
    waiting.push(resolve);
    port1.postMessage(undefined);
  });

const answer = serveModel({
  send,
  now: () => performance.now(),
  turn,
  read(source, loader) {
    let told = 0;
    const onRead = (read: number, total: number) => {
      if (read - told < PROGRESS_BYTES && read !== total) return;
      told = read;
      send({ progress: { read, total } });
    };
    return readSource(source, { loader, onRead });
  },
});

globalThis.addEventListener('message', ({ data }: MessageEvent<Request>) => answer(data));
