import { gzipSync } from 'node:zlib';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { type ReplayCode, appCode } from '../engine/code.ts';
import { temporaryFolder, writeCapture } from '../testing/files.ts';
import { verifyCapture } from './verifyCapture.ts';

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(1, item('hello')),
  recv(2, { text: 'Hello' }),
  recv(3, { ring: true }),
  recv(4, { text: 'Hello again' }),
  { t: 5, type: 'recv', data: 'not JSON' },
];

async function withGolden(records: Parameters<typeof writeCapture>[1] = RECORDS) {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), records);
  await verifyCapture(capture, { update: true });
  return { at, capture, golden: at('x.golden.json') };
}

/** The app's code with texts in capitals. */
const loud: ReplayCode = {
  ...appCode,
  applyUpdate: (conversation, update) =>
    applyUpdate(
      conversation,
      update.kind === 'text'
        ? { kind: 'text', frame: { text: update.frame.text?.toUpperCase() ?? null } }
        : update,
    ),
};

test('reports `same` when the code did not change', async () => {
  const { capture } = await withGolden();
  expect(await verifyCapture(capture)).toMatchObject({ capture, outcome: 'same', updates: 5, warnings: [] });
});

test('names the first update with before, expected and got when the fold changed', async () => {
  const { capture } = await withGolden();
  expect(await verifyCapture(capture, { engine: 'fold', code: loud })).toMatchObject({
    outcome: 'differs',
    difference: {
      update: { number: 3, kind: 'text', effect: 'applied', tick: 300 },
      state: [{ path: 'messages[0].content[1].text', before: 'hello', expected: 'Hello', got: 'HELLO' }],
    },
  });
});

test('finds a difference that is gone at the end', async () => {
  const { capture } = await withGolden([...RECORDS, recv(6, { person: 'Ada', messages: [] })]);
  const result = await verifyCapture(capture, { engine: 'fold', code: loud });
  expect(result).toMatchObject({ outcome: 'differs', difference: { update: { number: 3 } } });
});

test('reports only the additional field of a message', async () => {
  const records = [recv(0, { person: 'Ada', messages: [] }), recv(1, message('a'))];
  const { capture } = await withGolden(records);
  const code: ReplayCode = {
    ...appCode,
    applyUpdate: (conversation, update) =>
      applyUpdate(
        conversation,
        update.kind === 'message' ? { kind: 'message', frame: { ...update.frame, context: 'New' } } : update,
      ),
  };
  expect(await verifyCapture(capture, { engine: 'fold', code })).toMatchObject({
    difference: { state: [{ path: 'messages[0].context', expected: 'Assistant', got: 'New' }] },
  });
});

test('names the update when only its notification differs', async () => {
  const { capture } = await withGolden();
  const code: ReplayCode = { ...appCode, notificationText: () => ({ title: 'x', body: 'Hello' }) };
  expect(await verifyCapture(capture, { engine: 'fold', code })).toMatchObject({
    difference: {
      update: { number: 4, kind: 'notification' },
      state: [{ path: 'notification.title', expected: 'Assistant', got: 'x' }],
    },
  });
});

test('names a frame that is rejected for another reason', async () => {
  const { capture } = await withGolden();
  const code: ReplayCode = {
    ...appCode,
    decodeUpdate: (text) => {
      const update = appCode.decodeUpdate(text);
      return update.kind === 'rejected' ? { kind: 'rejected', reason: 'notText' } : update;
    },
  };
  const { difference } = Object(await verifyCapture(capture, { engine: 'fold', code }));
  expect(difference).toEqual({
    state: [],
    end: [{ path: 'rejectedFrames["6"]', expected: 'notJson', got: 'notText' }],
  });
});

test('reports a missing and an additional update', async () => {
  const { capture } = await withGolden();
  await writeCapture(capture, RECORDS.slice(0, 4));
  expect(await verifyCapture(capture)).toMatchObject({
    difference: { update: { number: 5 }, state: [{ path: 'update', expected: 'text, applied' }] },
  });
  await writeCapture(capture, [...RECORDS, recv(9, { context: 'more' })]);
  expect(await verifyCapture(capture)).toMatchObject({
    difference: { update: { number: 6 }, state: [{ path: 'update', got: 'context, applied' }] },
  });
});

test('reports the update at which the code throws', async () => {
  const { capture } = await withGolden();
  const code: ReplayCode = {
    ...appCode,
    applyUpdate: (conversation, update) => {
      if (update.kind === 'text') throw new TypeError('broken');
      return applyUpdate(conversation, update);
    },
  };
  expect(await verifyCapture(capture, { engine: 'fold', code })).toMatchObject({
    outcome: 'differs',
    difference: { update: { number: 3 }, end: [{ path: 'error', got: 'TypeError: broken' }] },
  });
});

test('reports the hash when only the hash differs', async () => {
  const { capture, golden } = await withGolden();
  const text = await readFile(golden, 'utf8');
  await writeFile(golden, text.replace(/sha256:\w/, 'sha256:_'));
  const { difference } = Object(await verifyCapture(capture));
  expect(difference.state).toEqual([]);
  expect(difference.end).toMatchObject([{ path: 'hash' }]);
});

test('ignores values that JSON does not distinguish', async () => {
  const data = '{"person":"Ada","messages":[{"modifier":"ai","a":-0,"b":1e400}]}';
  const { capture } = await withGolden([
    { t: 0, type: 'recv', data },
    recv(1, item('x')),
    recv(2, { text: 'y' }),
  ]);
  expect(await verifyCapture(capture)).toMatchObject({ outcome: 'same' });
  expect(await verifyCapture(capture, { engine: 'fold', code: loud })).toMatchObject({
    difference: { update: { number: 3 }, state: [{ expected: 'y', got: 'Y' }] },
  });
});

test('ignores the order of the golden’s keys', async () => {
  const { capture, golden } = await withGolden();
  const { hash, ...rest } = JSON.parse(await readFile(golden, 'utf8'));
  await writeFile(golden, JSON.stringify({ ...rest, hash }));
  expect(await verifyCapture(capture)).toMatchObject({ outcome: 'same', updates: 5 });
});

test('reports `same` for code with another form of state and the same trace', async () => {
  const { capture } = await withGolden();
  const base: ReplayCode = {
    ...appCode,
    emptyConversation: Object({ wrapped: appCode.emptyConversation }),
    hasTarget: (conversation, update) => appCode.hasTarget(Object(conversation).wrapped, update),
    applyUpdate: (conversation, update) =>
      Object({ wrapped: applyUpdate(Object(conversation).wrapped, update) }),
    toSnapshot: (conversation) => appCode.toSnapshot(Object(conversation).wrapped),
    notificationText: (conversation) => appCode.notificationText(Object(conversation).wrapped),
  };
  expect(await verifyCapture(capture, { base })).toMatchObject({ outcome: 'same', updates: 5 });
  expect(await verifyCapture(capture, { base, code: loud })).toMatchObject({
    difference: { update: { number: 3 } },
  });
});

test('compares a gzipped capture with the same golden', async () => {
  const { at, capture } = await withGolden();
  await writeFile(at('x.parley.jsonl.gz'), gzipSync(await readFile(capture)));
  expect(await verifyCapture(at('x.parley.jsonl.gz'))).toMatchObject({ outcome: 'same' });
});
