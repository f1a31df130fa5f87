import { goldenPath } from '../golden/goldenFile.ts';
import { closeUnread, openAhead } from '../read/s3.ts';
import { type CaptureVerifierOptions, captureVerifier } from './verifyCapture.ts';
import { type MarkedResult, markedVerifier } from './markedVerifier.ts';
import { connectToPool } from '../workers/workerProcess.ts';

/** The program of a worker: verifies each capture that it receives, one after the other, and sends its result. */

const { data, receive, send } = await connectToPool<CaptureVerifierOptions, MarkedResult>();
const isComparison = data.base !== undefined || data.isAlone === true;
const loadOwn = async () => (await import('../parley/parleyApp.ts')).parleyApp;
const verify = data.marked ? markedVerifier(data.marked) : await captureVerifier(data, loadOwn);
let last: Promise<unknown> = Promise.resolve();
receive((capture) => {
  const files = [capture, ...(isComparison ? [] : [goldenPath(capture)])];
  openAhead(files);
  last = last.then(async () => send(await verify(capture))).finally(() => closeUnread(files));
});
