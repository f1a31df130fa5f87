import { expect, test, vi } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { item, message, recv } from '#tests/builders/updateOf.ts';
import { alignSteps } from './alignSteps.ts';
import { captureText } from '../model/testing/modelOf.ts';
import { createInspector } from '../page/session/createInspector.ts';
import { modelClient, until } from '../page/session/testing/modelClient.ts';
import type { AlignBy } from '../protocol/protocol.ts';
import { createPair, pairChanges } from './createPair.ts';

/** Keys of steps that are named by letters; the kind of a step is its letter without the number. */
const keysOf = (steps: readonly string[]) => ({
  exact: Uint32Array.from(['', ...steps], (step) => Number.parseInt(step || '0', 36)),
  kinds: Uint32Array.from(['', ...steps], (step) => step.charCodeAt(0) || 0),
});

const nameOf = (steps: readonly string[] = [], step = 0) => ['-', ...steps][step];

/** Aligns, and writes the rows as pairs of steps. */
function aligned(...sessions: [string, string]): string {
  const [one, other] = sessions.map((steps) => steps.split(' ').filter(Boolean));
  const { a, b } = alignSteps(keysOf(one ?? []), keysOf(other ?? []));
  return Array.from(a, (step, i) => `${nameOf(one, step)}/${nameOf(other, b[i])}`)
    .slice(1)
    .join(' ');
}

test.each([
  ['the same steps', 'a1 b1 c1', 'a1 b1 c1', 'a1/a1 b1/b1 c1/c1'],
  ['a step that only the first has', 'a1 b1 c1', 'a1 c1', 'a1/a1 b1/- c1/c1'],
  ['other content of the same kind', 'a1 b1 c1', 'a1 b2 c1', 'a1/a1 b1/b2 c1/c1'],
  ['another kind', 'a1 b1 c1', 'a1 d1 c1', 'a1/a1 b1/- -/d1 c1/c1'],
  ['repeated steps', 'a1 x1 x1 x1 b1', 'a1 x1 b1', 'a1/a1 x1/x1 x1/- x1/- b1/b1'],
  ['moved steps', 'a1 b1 c1 d1', 'b1 c1 d1 a1', 'a1/- b1/b1 c1/c1 d1/d1 -/a1'],
  ['no steps', '', 'a1', '-/a1'],
])('aligns %s', (_, ...[a, b, rows]) => {
  expect(aligned(a, b)).toBe(rows);
});

vi.stubGlobal('innerHeight', 900);

const RECORDS: readonly CaptureRecord[] = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(150, item('hi')),
  recv(250, { text: 'Hi' }),
  recv(350, { text: 'Hi!' }),
];

const sourceOf = (records: readonly CaptureRecord[], name: string) =>
  ({ kind: 'file', file: new Blob([captureText(records)]), name }) as const;

/** Opens two sessions side by side. */
async function opened(
  [a, b]: readonly (readonly CaptureRecord[])[],
  { by = 'content', at }: { by?: AlignBy; at?: { update: number } } = {},
) {
  const pair = createPair({ a: createInspector(modelClient()), b: createInspector(modelClient()) }, by);
  await pair.open({ a: sourceOf(a ?? [], 'a'), b: sourceOf(b ?? [], 'b') }, at);
  await until(pair.store, ({ divergence, changes }) => divergence.kind !== 'searching' && !!changes);
  const { a: one, b: other } = pair.sides;
  return { pair, steps: () => [one.store.get().step, other.store.get().step] };
}

test('opens where the states first differ, and shows the difference by path', async () => {
  const { pair, steps } = await opened([RECORDS, RECORDS.with(2, recv(250, { text: 'Ho' }))]);
  const { divergence, row, changes } = pair.store.get();
  expect(divergence).toEqual({ kind: 'found', row });
  expect(steps()).toEqual([6, 6]);
  expect(changes).toEqual([{ path: 'messages[0].content[1].text', before: 'Hi', after: 'Ho' }]);
  pair.by(2);
  await until(pair.store, ({ changes: now }) => now?.length === 0);
  pair.go(0);
  expect(steps()).toEqual([0, 0]);
});

test('moves the other session when one of them moves, past steps that it does not have', async () => {
  const close = { t: 320, type: 'close', code: 1006, reason: '' } as const;
  const { pair, steps } = await opened([RECORDS, RECORDS.toSpliced(3, 0, close)]);
  pair.sides.b.navigate.go(8);
  expect(steps()).toEqual([7, 8]);
  pair.sides.a.navigate.go(8);
  expect(pair.sides.b.store.get().step).toBe(9);
  pair.sides.b.navigate.go(2);
  expect(pair.sides.a.store.get().step).toBe(2);
});

test('says that the states are the same, and opens at an update', async () => {
  const { pair, steps } = await opened([RECORDS, RECORDS], { by: 'record', at: { update: 3 } });
  expect(pair.store.get()).toMatchObject({ divergence: { kind: 'none' }, changes: [] });
  expect(steps()).toEqual([6, 6]);
});

const change = (path: string, before: unknown, after: unknown) => ({ path, before, after });

test('shows the places whose values differ, with the value of each session', () => {
  const counts = change('counts.applied', 1, 2);
  const first = [change('person', 'Ada', 'Grace'), counts, change('a', 1, 2)];
  expect(pairChanges(first, [change('person', 'Ada', 'Edith'), counts, change('b', 1, undefined)])).toEqual([
    change('person', 'Grace', 'Edith'),
    change('a', 2, 1),
    change('b', 1, undefined),
  ]);
});
