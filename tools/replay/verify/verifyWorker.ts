import { parentPort, workerData } from 'node:worker_threads';
import { type CaptureVerifierOptions, captureVerifier } from './captureVerifier.ts';
import type { CaptureResult } from './captureResult.ts';
import type { WorkerMessage } from './workerSlot.ts';

/** The program of a worker thread: verifies each capture that it receives, one after the other, and sends its result. */

// oxlint-disable-next-line unicorn/require-post-message-target-origin
const send = (message: WorkerMessage<CaptureResult>) => parentPort?.postMessage(message);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const verify = await captureVerifier(workerData as CaptureVerifierOptions);
let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (capture: string) => {
  last = last.then(async () => send(await verify(capture)));
});
send('ready');
