import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { message } from '#tests/builders/updateOf.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { hashReplay } from './hashReplay.ts';
import { createParleyEngine } from './parley.ts';
import { createOutcome } from '../engine/stateReports.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';

const RECORDS: readonly CaptureRecord[] = [
  { t: 0, type: 'open' },
  { t: 12.4, type: 'recv', data: '{"person":"Ada Lovelace","messages":[]}' },
  { t: 13, type: 'recv', data: 'AAEC', encoding: 'base64' },
  {
    t: 14,
    type: 'recv',
    data: '{"modifier":"ai","id":"1","context":"Parley","content":[{"text":"hé \\"you\\"","category":"text"}]}',
  },
  { t: 15, type: 'recv', data: '{}' },
  { t: 901, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
];

function replayRecords(records: readonly CaptureRecord[]) {
  const engine = createParleyEngine();
  records.every((record) => engine.take(record));
  return engine.finish();
}

/** The text is written by hand from contract §7 and hashed without code of the tool. */
const CANONICAL =
  '{"conversation":{"messages":[{"content":[{"category":"text","text":"hé \\"you\\""}],"context":"Parley","id":"1",' +
  '"modifier":"ai"}],"person":"Ada Lovelace"},"frames":{"received":4,"rejected":1,"sent":1},' +
  '"notifications":[{"body":"hé \\"you\\"","title":"Parley"}],"updates":{"applied":3,"ignored":0}}';

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;

test('contract §7 hash: hashes the canonical text of a small session', () => {
  expect(hashReplay(replayRecords(RECORDS))).toBe(sha256(CANONICAL));
});

test('hashes an empty session', () => {
  expect(hashReplay(replayRecords([]))).toBe(
    sha256(
      '{"conversation":{"messages":[],"person":null},"frames":{"received":0,"rejected":0,"sent":0},' +
        '"notifications":[],"updates":{"applied":0,"ignored":0}}',
    ),
  );
});

test('gives the same hash in many pieces as in one', () => {
  const messages = Array.from({ length: 2000 }, (_, i) => message(`${i} ${'é'.repeat(100)}`));
  const replay = replayRecords([
    { t: 1, type: 'recv', data: JSON.stringify({ person: 'Ada Lovelace', messages }) },
  ]);
  const { conversation, notifications } = replay;
  const whole = { conversation: toSnapshot(conversation), notifications, ...createOutcome(replay) };
  expect(hashReplay(replay)).toBe(sha256(canonicalJson(whole)));
});

test('counts frames rejected for several reasons as one number', () => {
  const frames = ['x', '[]', '{"text":1}'].map((data): CaptureRecord => ({ t: 1, type: 'recv', data }));
  expect(createOutcome(replayRecords(frames))).toEqual({
    frames: { received: 3, sent: 0, rejected: 3 },
    updates: { applied: 0, ignored: 0 },
  });
});
