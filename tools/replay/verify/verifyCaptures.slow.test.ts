import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { message, recv } from '#tests/builders/updateOf.ts';
import { bundleSource } from '../base/bundleSource.ts';
import { all, temporaryFolder, writeCapture } from '../testing/files.ts';
import { parleyApp } from '../parley/parleyApp.ts';
import type { ResultRecord } from './resultRecord.ts';
import { CHECKOUT } from './testing/verifyParley.ts';
import { verifyCaptures } from './verifyCaptures.ts';

const RECORDS = Array.from({ length: 20 }, (_, t) => recv(t, message(`m${t}`)));

test('gives the same results with two workers as with one, in order and completely', async () => {
  const at = await temporaryFolder();
  const given = await Promise.all([0, 1, 2, 3].map((i) => writeCapture(at(`${i}.parley.jsonl`), RECORDS)));
  const workerFile = join(CHECKOUT, 'out/replay/verifyWorker.js');
  const written = await all(verifyCaptures(given, { own: parleyApp, workerFile: 'none', update: true }));
  expect(written.map(({ outcome }) => outcome)).toEqual(given.map(() => 'written'));
  await writeFile(at('1.parley.jsonl'), 'broken\n');
  const golden = await readFile(at('2.golden.json'), 'utf8');
  await writeFile(at('2.golden.json'), golden.replace('"m19"', '"other"'));

  const apart = await all(verifyCaptures(given, { own: parleyApp, workers: 2, workerFile }));
  const here = await all(verifyCaptures(given, { own: parleyApp, workerFile: 'none' }));
  expect(apart).toEqual(here.map((one) => Object.assign(one, { ms: expect.any(Number) })));
  const outcomes = given.map((_, i) => ({ 1: 'unusable', 2: 'differs' })[i] ?? 'same');
  expect(apart.map(({ outcome }) => outcome)).toEqual(outcomes);
});

const portFolder = await mkdtemp(join(tmpdir(), 'parley-port-'));
const entry = join(CHECKOUT, 'tools/replay/workers/workerProcess.ts');
const port = await bundleSource({ root: CHECKOUT, entry, out: portFolder });
afterAll(() => rm(portFolder, { recursive: true }));

/** Writes a worker that does something to a capture whose name contains a word, and returns `same` for the others. */
async function workerThat(acts: Readonly<Record<string, string>>) {
  const at = await temporaryFolder();
  const cases = Object.entries(acts).map(([name, act]) => `if (capture.includes('${name}')) { ${act} }`);
  const text = `import { connectToPool } from ${JSON.stringify(port)};
    const { receive, send } = await connectToPool();
    receive((capture) => {
      ${cases.join('\n')}
      send({ capture, ms: 0, warnings: [], outcome: 'same', updates: 0 });
    });`;
  await writeFile(at('worker.mjs'), text);
  return at('worker.mjs');
}

async function* failing() {
  yield* ['a', 'b', 'c', 'd', 'e'];
  throw new Error('the folder is gone');
}

test('names each capture whose replay throws, needs too much memory or exits; verifies the others, also when no further one is found', async () => {
  const workerFile = await workerThat({
    b: `throw Object.assign(new RangeError('a text'), { stack: '' })`,
    c: 'const kept = []; for (;;) kept.push(new Array(10_000).fill(0));',
    d: 'process.exit(3)',
  });
  const results: string[] = [];
  const options = { own: parleyApp, workers: 2, workerFile, memoryMb: 16 };
  const run = async () => {
    for await (const one of verifyCaptures(failing(), options)) results.push(outcomeOf(one));
  };
  await expect(run()).rejects.toThrow('the folder is gone');
  expect(results).toEqual([
    'same',
    'b: its worker stopped: RangeError',
    'c: needs more than 16 MB of memory; --memory changes the limit',
    'd: the replayed code ended its worker with status 3',
    'same',
  ]);
});

const outcomeOf = ({ outcome, problem = '' }: ResultRecord) => (outcome === 'stopped' ? problem : outcome);

test('names the capture whose replay loops, and verifies the others', async () => {
  // The worker writes into this named pipe when it has reached the loop.
  const reached = (await temporaryFolder())('reached');
  execFileSync('mkfifo', [reached]);
  const write = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(reached)}, '');`;
  const workerFile = await workerThat({ b: `${write} for (;;);` });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const options = { own: parleyApp, workers: 1, workerFile, timeoutMs: 1000 };
  const results = all(verifyCaptures(['a', 'b', 'c'], options));
  await readFile(reached);
  vi.advanceTimersByTime(1000);
  const problem = 'b: took longer than 1 s; --timeout changes the limit';
  expect((await results).map(outcomeOf)).toEqual(['same', problem, 'same']);
});

async function* unfinished() {
  yield* ['a', 'b'];
  await new Promise(() => undefined);
}

test('ends at an abort, also when a capture never ends and no further one is found', async () => {
  const workerFile = await workerThat({ b: 'for (;;);' });
  const stop = new AbortController();
  const options = { own: parleyApp, workers: 1, workerFile, signal: stop.signal };
  const results: ResultRecord[] = [];
  for await (const one of verifyCaptures(unfinished(), options)) {
    results.push(one);
    stop.abort();
  }
  expect(results).toMatchObject([{ capture: 'a' }]);
});
