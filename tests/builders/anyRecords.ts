import * as fc from 'fast-check';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { isRecorded } from '#shared/actions/actionTable.ts';
import { anyFrame } from './updateKinds.ts';
import { sampleActions } from './sampleActions.ts';

const LONGEST_MS = 3000;

/** Generates sorted times of a session: many on a tick or close to one, some equal. */
const times = (count: number): fc.Arbitrary<number[]> =>
  fc
    .array(
      fc.oneof(
        fc.integer({ min: 0, max: LONGEST_MS / 100 }).map((tick) => tick * 100),
        fc.integer({ min: 0, max: LONGEST_MS }),
        fc.double({ min: 0, max: LONGEST_MS, noNaN: true }),
      ),
      { minLength: count, maxLength: count },
    )
    .map((list) => list.sort((a, b) => a - b));

const received = anyFrame().map((data) =>
  data === null
    ? ({ type: 'recv', data: 'AAEC', encoding: 'base64' } as const)
    : ({ type: 'recv', data } as const),
);

const TYPES = ['connection/confirmed', 'connection/requested', 'message/dropped', 'message/sent'] as const;

const action = fc
  .constantFrom(...TYPES, 'x/other')
  .map((type) => ({ type: 'action', action: { type, payload: { category: 'text' } } }) as const);

/** The types that `action` generates, and the end. */
const OTHERS: ReadonlySet<string> = new Set([...TYPES, 'session/ended']);

/** Generates all other recorded actions, with payloads that fit and payloads that do not. */
const anyAct = fc
  .tuple(
    fc.constantFrom(...sampleActions().filter(({ type }) => isRecorded(type) && !OTHERS.has(type))),
    fc.constantFrom({ window: 1 }, { window: 2 }, {}),
    fc.constantFrom<object>({}, {}, {}, {}, { payload: 'x' }),
  )
  .map(([sample, source, other]) => {
    const { type, payload } = { payload: undefined, ...sample };
    return Object.assign({ type: 'action' as const, action: { type, payload, ...other } }, source);
  });

const ended = fc.constant({ type: 'action', action: { type: 'session/ended' } } as const);

const close = fc
  .constantFrom({}, { retryAt: 500 }, { reason: 'unauthorized' }, { reason: 'maintenance' })
  .map((fields) => Object.assign({ type: 'close' as const, code: 1000, reason: '' }, fields));

/** Generates late releases: most as a session has them, at the last tick before their time. */
const released = fc
  .record({ missed: fc.nat(6), early: fc.constantFrom(0, 0, 0, 1), update: fc.nat(20) })
  .map((fields) => Object.assign(fields, { type: 'release' as const }));

const anyEvent = fc.oneof(
  { weight: 20, arbitrary: received },
  { weight: 2, arbitrary: fc.constant({ type: 'send', data: '{"category":"text"}' } as const) },
  { weight: 2, arbitrary: fc.constant({ type: 'open' } as const) },
  { weight: 2, arbitrary: close },
  { weight: 3, arbitrary: action },
  { weight: 6, arbitrary: anyAct },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('note'), said: fc.string() }) },
  { weight: 2, arbitrary: released },
  { weight: 1, arbitrary: ended },
);

/** Generates the records of a session as in a capture: every type of the format, and unknown ones. */
export const anyRecords = (): fc.Arbitrary<CaptureRecord[]> =>
  fc
    .array(anyEvent, { maxLength: 30 })
    .chain((events) =>
      times(events.length).map((moments) => events.map((event, i) => recordAt(moments[i] ?? 0, event))),
    );

type Event = typeof anyEvent extends fc.Arbitrary<infer E> ? E : never;

function recordAt(t: number, event: Event): CaptureRecord {
  if (event.type !== 'release') return { t, ...event };
  const tick = Math.max(0, Math.floor(t / 100) - event.early) * 100;
  const due = Math.max(0, tick - event.missed * 100);
  return { t, type: 'release', update: event.update, due, tick };
}
