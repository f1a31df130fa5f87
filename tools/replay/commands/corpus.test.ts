import { mkdir, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';
import * as fc from 'fast-check';
import { type Candidate, greedyCover } from './corpus.ts';

async function corpus() {
  const at = await temporaryFolder();
  await mkdir(at('all/deep'), { recursive: true });
  const text = recv(2, { text: 'Hello' });
  await writeCapture(at('all/b.parley.jsonl'), [recv(1, message('Hi'.repeat(20))), text]);
  const small = await writeCapture(at('all/deep/c.parley.jsonl'), [recv(1, message('Hi')), text]);
  return { at, small };
}

test('contract §7 corpus distill: lists the kept captures, and one that cannot be read on a line', async () => {
  const { at, small } = await corpus();
  const gone = at('gone.parley.jsonl');
  const { status, out, err } = await runTool('corpus', 'distill', small, gone, at('all/b.parley.jsonl'));
  expect({ status, err }).toEqual({ status: 2, err: `${gone}: there is no such file\n` });
  expect(out).toMatch(
    /\/deep\/c\.parley\.jsonl\n\n1 of 2 captures kept, \d+ of \d+ bytes: they reach the same \d+ branches\n$/,
  );
  expect(await runTool('corpus', 'distill', gone, '-o', at('none'))).toMatchObject({ status: 2 });
  expect(await readdir(at(''))).not.toContain('none');
});

const capture = (path: string, bytes: number, ...reached: number[]): Candidate => ({
  path,
  bytes,
  reached,
});

test.each<[string, readonly Candidate[], string]>([
  ['nothing of nothing', [], ''],
  ['no capture that reaches nothing', [capture('a', 1)], ''],
  [
    'the capture that reaches the most',
    [capture('a', 1, 1), capture('b', 9, 1, 2, 3), capture('c', 1, 2)],
    'b',
  ],
  [
    'the smallest of equal captures',
    [capture('a', 9, 1, 2), capture('b', 8, 1, 2), capture('c', 8, 1, 2)],
    'b',
  ],
])('keeps %s', (_, captures, kept) => {
  expect(
    greedyCover(captures)
      .map(({ path }) => path)
      .join(' '),
  ).toBe(kept);
});

const candidates = fc
  .array(fc.record({ bytes: fc.nat(9), reached: fc.array(fc.nat(20), { maxLength: 8 }) }), { maxLength: 20 })
  .map((list) => list.map(({ bytes, reached }, i) => capture(`${i}`, bytes, ...new Set(reached))));

const union = (captures: readonly Candidate[]) =>
  [...new Set(captures.flatMap(({ reached }) => [...reached]))].sort((a, b) => a - b);

test('reaches the same branches, takes no capture twice, and does not depend on the order', () => {
  fc.assert(
    fc.property(candidates, (captures) => {
      const kept = greedyCover(captures);
      expect(union(kept)).toEqual(union(captures));
      expect(new Set(kept).size).toBe(kept.length);
      expect(greedyCover(captures.toReversed())).toEqual(kept);
    }),
  );
});
