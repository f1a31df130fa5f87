import { connectToPool } from '../workers/workerProcess.ts';
import { type IndexWorkerData, type IndexedCapture, captureIndexer } from './indexCapture.ts';

/** The program of a worker: indexes each capture that it receives, one after the other, and sends what it found. */

const { data, receive, send } = await connectToPool<IndexWorkerData, IndexedCapture>();
const index = captureIndexer(data);
let last: Promise<unknown> = Promise.resolve();
receive((capture) => {
  last = last.then(async () => send(await index(capture)));
});
