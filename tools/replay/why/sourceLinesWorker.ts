import { parentPort, workerData } from 'node:worker_threads';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { SourceLine, SourceLinesData, SourceLinesResult } from '#shared/ipc/sourceLines.ts';
import { isStoreAdapter } from '../adapter/checkAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import type { SessionAdapter } from '../engine/sessionAdapter.ts';
import { StepWalker, type WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { readCapture } from '../read/readCapture.ts';
import { recordLoader } from '../read/recordLoader.ts';
import { simulateStore } from '../store/simulateStore.ts';
import { storeSession } from '../store/storeSession.ts';
import { loadCountedApp, sessionOf, stepLines } from './countedApp.ts';

/**
 * The program of the thread that finds which lines of source ran in steps. The app's code is loaded twice: once for the way to a step, which must be
 * fast; and once, counted by V8, for the step itself, from the state that the first one has reached.
 */

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program that starts the thread passes this type
const { bundle, root, capture, pairs } = workerData as SourceLinesData;

/** Calls `onStep` for each wanted step of some records, with the numbers that steps have in the inspector; ends after the last one. */
async function walk(
  batches: AsyncIterable<readonly CaptureRecord[]> | Iterable<readonly CaptureRecord[]>,
  { app, wanted, onStep }: Walk,
): Promise<void> {
  const last = Math.max(...wanted);
  let isDone = false;
  const walker = new StepWalker(app, (step) => {
    if (wanted.has(step.step)) onStep(step);
    isDone = step.step >= last;
  });
  for await (const batch of batches)
    for (const record of batch) {
      walker.take(record);
      if (isDone) return;
    }
  walker.pass();
}

interface Walk {
  readonly app: SessionAdapter;
  readonly wanted: ReadonlySet<number>;
  readonly onStep: (step: WalkedStep) => void;
}

async function openSource() {
  if ('path' in capture) return readCapture(capture.path, { brokenLines: 'end' });
  const loader = recordLoader(capture.name, 'end');
  loader.take(new TextEncoder().encode(capture.text));
  const { header, records } = loader.capture();
  return { header, records: () => [records] };
}

async function linesBySteps(wanted: ReadonlySet<number>): Promise<ReadonlyMap<number, SourceLine[]>> {
  const plain = await loadAdapter(bundle);
  const { adapter, lines, linesOf } = await loadCountedApp({ bundle, root });
  const found = new Map<number, SourceLine[]>();
  const { header, records: batches } = await openSource();
  if (!isStoreAdapter(plain)) {
    const onStep = (step: WalkedStep) => found.set(step.step, linesOf(step));
    await walk(batches(), { app: sessionOf(plain), wanted, onStep });
  } else if (isStoreAdapter(adapter)) {
    const records: CaptureRecord[] = [];
    for await (const batch of batches()) records.push(...batch);
    const updates = new Map<number, number>();
    const onStep = ({ step, release }: WalkedStep) => release && updates.set(release.number, step);
    const app = storeSession(plain, await simulateStore(plain, { header, records }));
    await walk([records], { app, wanted, onStep });
    lines();
    await simulateStore(adapter, { header, records }, (number) => {
      const step = updates.get(number);
      const ran = lines();
      if (step !== undefined) found.set(step, ran);
    });
  }
  return found;
}

async function result(): Promise<SourceLinesResult> {
  try {
    const ran = await linesBySteps(new Set(pairs.flatMap(({ step, unlike = step }) => [step, unlike])));
    return {
      steps: pairs.map(({ step, unlike }) =>
        stepLines(ran.get(step) ?? [], unlike === undefined ? undefined : ran.get(unlike)),
      ),
    };
  } catch (error) {
    if (error instanceof CaptureError) return { problem: error.message };
    return { problem: `the lines of source cannot be found: ${String(error).split('\n', 1).join('')}` };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(await result());
