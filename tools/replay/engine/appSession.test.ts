import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { counterAdapter } from '../testing/counterAdapter.ts';
import type { AppAdapter } from './appAdapter.ts';
import { sessionOf } from './appSession.ts';
import { type Limits, type Step, createEngine } from './createEngine.ts';

const recv = (t: number, data: string): CaptureRecord => ({ t, type: 'recv', data });

function replay(
  records: readonly CaptureRecord[],
  adapter: AppAdapter = counterAdapter,
  limits: Limits = {},
) {
  const steps: string[] = [];
  const rejections: object[] = [];
  const onStep = ({ number, tick, kind, effect }: Step) => steps.push(`${number} ${tick} ${kind} ${effect}`);
  const onRejected = (rejection: object) => rejections.push(rejection);
  const engine = createEngine(sessionOf(adapter), { ...limits, onStep, onRejected });
  records.every((record) => engine.take(record));
  const { queue, ...session } = engine.finish();
  const { length, bytes, lastTick: virtualMs } = queue;
  return { ...session, queue: { length, bytes }, virtualMs, steps, rejections };
}

test('applies each update when it is received, in a session without a queue', () => {
  const { state, steps, counts, virtualMs, queue } = replay([
    recv(5, 'a 1'),
    recv(5, 'b 2'),
    recv(7.5, 'a 0'),
    recv(9, 'a 3'),
    { t: 10, type: 'send', data: 'x' },
  ]);
  expect(steps).toEqual(['1 5 a applied', '2 5 b applied', '3 7.5 a ignored', '4 9 a applied']);
  expect(state).toEqual({ totals: { a: 4, b: 2 }, isOpen: false });
  expect(counts).toEqual({ received: 4, sent: 1, applied: 3, ignored: 1, rejected: {} });
  expect({ virtualMs, queue }).toEqual({ virtualMs: 9, queue: { length: 0, bytes: 0 } });
});

test('rejects a frame with the adapter’s reason, and passes the bytes of a binary frame', () => {
  const { state, counts, rejections } = replay([
    recv(1, 'a x'),
    { t: 2, type: 'recv', data: 'AAEC', encoding: 'base64' },
  ]);
  expect(rejections).toEqual([{ reason: 'no amount', where: 'a.amount' }]);
  expect(counts.rejected).toEqual({ 'no amount': 1 });
  expect(state).toMatchObject({ totals: { bytes: 3 } });
});

const queued: AppAdapter = {
  ...counterAdapter,
  tick: (at, previous) => Math.max(at, previous) + 50,
};

test('releases each update at its tick, which counts from the launch', () => {
  const records: CaptureRecord[] = [{ t: 10, type: 'launch' }, recv(15, 'a 1'), recv(20, 'b 1')];
  expect(replay(records, queued).steps).toEqual(['1 65 a applied', '2 115 b applied']);
  const limited = replay(records, queued, { at: 100 });
  expect(limited).toMatchObject({ steps: ['1 65 a applied'], queue: { length: 1, bytes: 3 }, virtualMs: 55 });
  expect(replay(records, queued, { until: 1 }).queue.length).toBe(1);
});

test('refuses a tick before the frame', () => {
  const early: AppAdapter = { ...queued, tick: (at) => at - 1 };
  expect(() => replay([recv(15, 'a 1')], early)).toThrow('tick(15, 0) returned 14, which is earlier');
});

test('refuses a decoder that returns neither an update nor a rejection', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const adapter = { ...queued, decode: () => undefined } as unknown as AppAdapter;
  expect(() => replay([recv(1, '')], adapter)).toThrow('decode() must return { update } or { rejected }');
});

test('reduces opens, closes and recorded actions, and keeps the reason of a close', () => {
  const actions: unknown[] = [];
  const reduceAction = (state: unknown, action: object) => {
    actions.push(action);
    return state;
  };
  const { connection } = replay(
    [
      { t: 1, type: 'open' },
      { t: 2, type: 'action', action: { type: 'card/selected', payload: 3 } },
      { t: 3, type: 'close', code: 1006, reason: '' },
      { t: 4, type: 'note' },
    ],
    { ...queued, reduceAction },
  );
  expect(actions).toEqual([
    { type: 'connection/opened' },
    { type: 'card/selected', payload: 3 },
    { type: 'connection/closed', payload: { code: 1006, reason: '' } },
  ]);
  expect(connection).toEqual({ status: 'disconnected', closedBecause: '1006' });
});
