import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { expect, test, vi } from 'vitest';
import { captureText } from '../model/testing/captureText.ts';
import { createInspector } from '../page/session/createInspector.ts';
import { modelClient } from '../page/session/testing/modelClient.ts';
import type { InspectorClient } from '../protocol/workerClient.ts';
import type { AlignBy } from '../protocol/protocol.ts';
import { createPair, pairChanges } from './createPair.ts';

vi.stubGlobal('innerHeight', 900);

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(150, item('hi')),
  recv(250, { text: 'Hi' }),
  recv(350, { text: 'Hi!' }),
];

const inspectorOf = (client: InspectorClient = modelClient()) => createInspector(client);
const sourceOf = (records: readonly CaptureRecord[], name: string) =>
  ({ kind: 'file', file: new Blob([captureText(records)]), name }) as const;

/** Opens two sessions side by side. */
async function opened(
  a: readonly CaptureRecord[],
  b: readonly CaptureRecord[],
  options: { by?: AlignBy; update?: number } = {},
) {
  const pair = createPair({ a: inspectorOf(), b: inspectorOf() }, options.by ?? 'content');
  await pair.open(
    { a: sourceOf(a, 'a'), b: sourceOf(b, 'b') },
    options.update === undefined ? undefined : { update: options.update },
  );
  await expect.poll(() => pair.store.get().divergence.kind).not.toBe('searching');
  await expect.poll(() => pair.store.get().changes).toBeDefined();
  const steps = () => [pair.sides.a.store.get().step, pair.sides.b.store.get().step];
  return { pair, steps };
}

test('opens where the states first differ, and shows the difference by path', async () => {
  const { pair, steps } = await opened(RECORDS, RECORDS.with(2, recv(250, { text: 'Ho' })));
  const { divergence, row, changes } = pair.store.get();
  expect(divergence).toEqual({ kind: 'found', row });
  expect(steps()).toEqual([6, 6]);
  expect(changes).toEqual([{ path: 'messages[0].content[1].text', before: 'Hi', after: 'Ho' }]);
  pair.by(2);
  await expect.poll(() => pair.store.get().changes).toEqual([]);
  pair.go(0);
  expect(steps()).toEqual([0, 0]);
});

test('moves the other session when one of them moves, past steps that it does not have', async () => {
  const close = { t: 320, type: 'close', code: 1006, reason: '' } as const;
  const { pair, steps } = await opened(RECORDS, [...RECORDS.slice(0, 3), close, ...RECORDS.slice(3)]);
  pair.sides.b.navigate.go(8);
  expect(steps()).toEqual([7, 8]);
  pair.sides.a.navigate.go(8);
  expect(pair.sides.b.store.get().step).toBe(9);
  pair.sides.b.navigate.go(2);
  expect(pair.sides.a.store.get().step).toBe(2);
});

test('says that the states are the same, and opens at an update', async () => {
  const { pair, steps } = await opened(RECORDS, RECORDS, { by: 'record', update: 3 });
  expect(pair.store.get()).toMatchObject({ divergence: { kind: 'none' }, changes: [] });
  expect(steps()).toEqual([6, 6]);
});

test('finds a tick that differs between two revisions', async () => {
  const late = modelClient();
  const request: InspectorClient['request'] = async (name, params) => {
    const result = await late.request(name, params);
    // As a revision whose queue releases update 2 one tick later.
    if (name === 'deltas' && result instanceof Uint32Array) result[3] = (result[3] ?? 0) ^ 1;
    return result;
  };
  const pair = createPair({ a: inspectorOf(), b: inspectorOf({ ...late, request }) }, 'record');
  await pair.open({ a: sourceOf(RECORDS, 'a'), b: sourceOf(RECORDS, 'b') }, undefined);
  await expect.poll(() => pair.store.get().divergence).toEqual({ kind: 'found', row: 4 });
});

const change = (path: string, before: unknown, after: unknown) => ({ path, before, after });

test('shows the places whose values differ, with the value of each session', () => {
  const first = [change('person', 'Ada', 'Grace'), change('counts.applied', 1, 2), change('a', 1, 2)];
  const second = [
    change('person', 'Ada', 'Edith'),
    change('counts.applied', 1, 2),
    change('b', 1, undefined),
  ];
  expect(pairChanges(first, second)).toEqual([
    change('person', 'Grace', 'Edith'),
    change('a', 2, 1),
    change('b', 1, undefined),
  ]);
});

test('shows only the different parts of two added values', () => {
  const added = (text: string) => [change('messages[3]', undefined, { id: 'm-3', content: [{ text }] })];
  expect(pairChanges(added('one'), added('two'))).toEqual([
    change('messages[3].content[0].text', 'one', 'two'),
  ]);
});
