import { parentPort, workerData } from 'node:worker_threads';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { SourceLine, SourceLinesData, SourceLinesResult } from '#shared/ipc/sourceLines.ts';
import { isStoreAdapter } from '../adapter/checkAdapter.ts';
import { loadAdapter } from '../adapter/loadAdapter.ts';
import { END } from '../engine/createEngine.ts';
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

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever starts the thread gives it
const { bundle, root, capture, pairs } = workerData as SourceLinesData;

type CaptureSource = SourceLinesData['capture'];

interface Walk {
  readonly adapter: SessionAdapter;
  readonly wanted: ReadonlySet<number>;
  /** Is called for each wanted step, with the next record, which is that of the step unless it is an update at its tick. */
  readonly onStep: (step: WalkedStep, next: CaptureRecord) => void;
}

/** Replays records until the last wanted step, with the numbers that steps have in the inspector. */
async function walk(
  batches: AsyncIterable<readonly CaptureRecord[]> | Iterable<readonly CaptureRecord[]>,
  { adapter, wanted, onStep }: Walk,
): Promise<void> {
  const last = Math.max(...wanted);
  let next = END;
  let isDone = false;
  const walker = new StepWalker(adapter, (step) => {
    if (wanted.has(step.step)) onStep(step, next);
    isDone = step.step >= last;
  });
  for await (const batch of batches)
    for (const record of batch) {
      next = record;
      walker.take(record);
      if (isDone) return;
    }
  next = END;
  walker.pass();
}

async function batchesOf(source: CaptureSource) {
  if ('path' in source) return (await readCapture(source.path, { brokenLines: 'end' })).records();
  return [loaded(source).records];
}

function loaded({ name, text }: Extract<CaptureSource, { name: string }>) {
  const loader = recordLoader(name, 'end');
  loader.take(new TextEncoder().encode(text));
  return loader.capture();
}

async function wholeCapture(source: CaptureSource) {
  if (!('path' in source)) return loaded(source);
  const { header, records } = await readCapture(source.path, { brokenLines: 'end' });
  const all: CaptureRecord[] = [];
  for await (const batch of records()) all.push(...batch);
  return { header, records: all };
}

async function linesBySteps(wanted: ReadonlySet<number>): Promise<ReadonlyMap<number, SourceLine[]>> {
  const plain = await loadAdapter(bundle);
  const counted = await loadCountedApp({ bundle, root });
  const { adapter } = counted;
  const found = new Map<number, SourceLine[]>();
  if (isStoreAdapter(plain) && isStoreAdapter(adapter)) {
    const whole = await wholeCapture(capture);
    const log = await simulateStore(plain, whole);
    const updates = new Map<number, number>();
    await walk([whole.records], {
      adapter: storeSession(plain, log),
      wanted,
      onStep: ({ step, release }) => release && updates.set(release.number, step),
    });
    counted.lines();
    await simulateStore(adapter, whole, (number) => {
      const step = updates.get(number);
      const lines = counted.lines();
      if (step !== undefined) found.set(step, lines);
    });
    return found;
  }
  if (isStoreAdapter(plain)) return found;
  await walk(await batchesOf(capture), {
    adapter: sessionOf(plain),
    wanted,
    onStep: (step, next) => found.set(step.step, counted.linesOf({ step, next })),
  });
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
