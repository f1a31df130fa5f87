import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type * as fifo from '#shared/fifo.ts';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { temporaryFolder, writeCapture } from '../testing/files.ts';
import { recordOf } from './resultRecord.ts';
import { resultLines, unpainted } from './resultLines.ts';

type Fifo = typeof fifo;

/** The function of the queue that has a fault. */
let faulty: Fifo['enqueue'] | undefined;

/** Loads the replayed code again, with that function. */
async function loadFaultyCode() {
  vi.resetModules();
  vi.doMock('#shared/fifo.ts', async (original) => {
    const own = await original<Fifo>();
    const enqueue: Fifo['enqueue'] = (queue, item) => (faulty ?? own.enqueue)(queue, item);
    return { ...own, enqueue };
  });
  return import('./testing/verifyParley.ts');
}

let code: Awaited<ReturnType<typeof loadFaultyCode>>;
beforeAll(async () => {
  code = await loadFaultyCode();
});
afterAll(() => {
  vi.doUnmock('#shared/fifo.ts');
  vi.resetModules();
});

const SESSION = [
  recv(0, { person: 'Ada', messages: [] }),
  ...['a', 'b', 'c'].map((id, i) => recv(i + 1, message(id))),
];

const queueOf = <T>(front: readonly T[]) => ({ front, middle: null, back: [] });

test.each<[string, Fifo['enqueue'], string]>([
  [
    'the queue loses an update',
    ({ front }, item) => queueOf([...front, item].slice(-3)),
    'update 1 was lost: it is not at queue.waiting[0]',
  ],
  [
    'the queue repeats an update',
    ({ front }, item) => queueOf(front.length === 2 ? [...front, item, item] : [...front, item]),
    'update 3 was repeated: it is again at queue.waiting[3]',
  ],
  [
    'the queue releases an update before an earlier one',
    ({ front: [first, ...others] }, item) => queueOf(first === undefined ? [item] : [first, item, ...others]),
    'update 3 came before update 2: it is at queue.waiting[1]',
  ],
])('names the update and the place in the queue when %s', async (cause, enqueue, line) => {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), SESSION);
  faulty = undefined;
  await code.verifyParley(capture, { update: true });
  faulty = enqueue;
  const result = await code.verifyParley(capture);
  expect(resultLines(result, unpainted)).toContain(`  ${line}`);
  expect(recordOf(result).signature).toBe(`differs: ${cause}`);
});
