import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { type ParleyEngine, createParleyEngine } from '#replay/parley/parley.ts';
import { hashReplay } from '#replay/parley/hashReplay.ts';
import { isFrame } from '#replay/engine/frames.ts';
import { type ActsState, actionRecord, actsPart } from '#shared/capture/recordedActions.ts';
import { type KnownRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { isRecorded } from '#shared/actions/actionTable.ts';
import { connectionConfirmed, sessionEnded } from '#shared/actions/sessionActions.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { attentionGained } from '#shared/actions/mainActions.ts';
import { connectionRequested } from '#shared/actions/userActions.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { type CaptureRing, captureRing } from './captureRing.ts';

const add = (ring: CaptureRing, record: KnownRecord): void => ring.record(record, updateOf(record));

const updateOf = (record: KnownRecord) =>
  isFrame(record, 'recv') ? decodeUpdate(record.encoding === 'base64' ? null : record.data) : undefined;

function replay(records: readonly KnownRecord[], engine: ParleyEngine) {
  for (const record of records) engine.take(record);
  return engine.finish();
}

const message = (id: string) => ({ modifier: 'ai', id, content: [{ category: 'text', text: id }] });

/** Returns what a capture that begins in the middle of a session has too: not the unread messages from before. */
function actsOf(state: ActsState) {
  const acts = actsPart(state);
  return { ...acts, attention: acts.attention.isWatched };
}

const anySession = anyRecords().map((records) =>
  records.filter(isKnown).filter((record) => {
    if (record.type !== 'action') return record.type !== 'release';
    return isRecorded(record.action.type) && record.action.type !== sessionEnded.type;
  }),
);

test('keeps records within any limit, whose replay ends like that of the whole session', () => {
  checkProperty(
    fc.property(anySession, fc.integer({ min: 0, max: 4000 }), (records, limit) => {
      const ring = captureRing(limit);
      for (const record of records) {
        add(ring, record);
        expect(ring.bytes()).toBeLessThanOrEqual(limit);
      }
      const whole = replay(records, createParleyEngine());
      const kept = replay(ring.records(), createParleyEngine());
      const ending = ({ conversation }: typeof whole) =>
        hashReplay({ ...kept, counts: whole.counts, notifications: [], conversation });
      expect(ending(kept)).toBe(ending(whole));
      expect(actsOf(kept)).toEqual(actsOf(whole));
      const withoutConnection = { connection: null, wasConnected: null };
      const acts = { ...actsOf(ring.acts()), ...withoutConnection };
      expect(acts).toEqual({ ...actsOf(whole), ...withoutConnection });
      const times = ring.records().map(({ t }) => t);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
    60,
  );
});

test('holds as many records after many snapshots as after the first', () => {
  const ring = captureRing(20_000);
  for (let t = 0; t < 605; t++)
    add(ring, recv(t, t % 30 === 0 ? { person: 'Ada', messages: [] } : message('x')));
  expect(ring.records().length).toBeGreaterThan(25);
});

test('keeps the launch, the attention, and the last pong, close and request of those that it drops, in this order', () => {
  const ring = captureRing(0);
  const close = { t: 1, type: 'close', code: 1000, reason: 'maintenance' } as const;
  const [pong, request, gained] = [connectionConfirmed(), connectionRequested(), attentionGained()].map(
    (action) => actionRecord(action, 1),
  );
  const launch = { t: 0, type: 'launch' } as const;
  for (const record of [gained, launch, pong, close, request, pong, pong, close, close, request, request])
    if (record !== undefined) add(ring, record);
  const before = [launch, gained].map((record) => Object.assign({ synthetic: true }, record));
  expect(ring.records()).toEqual([...before, pong, close, request]);
  expect(ring.acts().attention.isWatched).toBe(true);
});
