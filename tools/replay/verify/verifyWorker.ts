import { parentPort, workerData } from 'node:worker_threads';
import { goldenPath } from '../golden/goldenFile.ts';
import { closeUnread, openAhead } from '../s3/openAhead.ts';
import { type CaptureVerifierOptions, captureVerifier } from './captureVerifier.ts';
import type { CaptureResult } from './captureResult.ts';
import type { WorkerMessage } from './workerSlot.ts';

/** The program of a worker thread: verifies each capture that it receives, one after the other, and sends its result. */

// oxlint-disable-next-line unicorn/require-post-message-target-origin
const send = (message: WorkerMessage<CaptureResult>) => parentPort?.postMessage(message);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const options = workerData as CaptureVerifierOptions;
const isComparison = options.base !== undefined;
const verify = await captureVerifier(options);
let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (capture: string) => {
  const files = [capture, ...(isComparison ? [] : [goldenPath(capture)])];
  openAhead(files);
  last = last.then(async () => send(await verify(capture))).finally(() => closeUnread(files));
});
send('ready');
