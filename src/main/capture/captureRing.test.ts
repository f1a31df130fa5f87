import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { type ParleyEngine, createParleyEngine } from '#replay/parley/parley.ts';
import { hashReplay } from '#replay/parley/hashReplay.ts';
import { isFrame } from '#replay/engine/frames.ts';
import { type ActsState, actsPart } from '#shared/capture/recordedActions.ts';
import { type KnownRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { isRecorded } from '#shared/actions/actionTable.ts';
import { sessionEnded } from '#shared/actions/sessionActions.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { recv } from '#tests/builders/recv.ts';
import { type CaptureRing, captureRing } from './captureRing.ts';

/** Adds a record like a session does. */
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

/** Generates the records that a session adds while it runs. */
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
      expect({ ...actsOf(ring.acts()), ...withoutConnection }).toEqual({
        ...actsOf(whole),
        ...withoutConnection,
      });
      const times = ring.records().map(({ t }) => t);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
    60,
  );
});

test('keeps a snapshot after long updates that another snapshot has replaced', () => {
  const ring = captureRing(1000);
  for (let n = 1; n <= 20; n++) add(ring, recv(n, message(`message ${n}`)));
  const snapshots = [21, 22].map((t) => recv(t, { person: 'Ada', messages: [] }));
  for (const snapshot of snapshots) add(ring, snapshot);
  expect(ring.records()).toContainEqual(snapshots[1]);
});

test('contract §6 middle of a session: replaces dropped records by a synthetic snapshot that is not later than the next record', () => {
  const ring = captureRing(1000);
  add(ring, recv(1, { person: 'Ada', messages: [] }));
  for (let n = 1; n <= 20; n++) add(ring, recv(n * 10, message(`message ${n}`)));
  const [first, second] = ring.records();
  expect(first).toMatchObject({ type: 'recv', synthetic: true });
  expect(first?.t).toBeLessThanOrEqual(second?.t ?? 0);
  expect(second).not.toHaveProperty('synthetic');
});
