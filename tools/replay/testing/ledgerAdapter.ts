import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import type { SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';

/** An entry of the ledger that waits for its tick. */
interface Entry {
  readonly amount: number;
  readonly bytes: number;
  readonly at: number;
}

/** The state of the ledger: it keeps its session itself. */
interface Ledger extends SessionState {
  readonly total: number;
  readonly note: string;
  readonly queue: SessionState['queue'] & { readonly waiting: readonly Entry[] };
}

type LedgerAction =
  | { readonly type: 'launched'; readonly at: number }
  | { readonly type: 'received'; readonly entry: Entry }
  | { readonly type: 'rejected' | 'closed' | 'ended' }
  | { readonly type: 'noted'; readonly note: string }
  | { readonly type: 'added'; readonly tick: number };

/** Entries are added at multiples of this time, one at a time. */
const TICK_MS = 50;

/** An adapter of a small app that keeps the session in its own state: a frame `+5` adds to a total at the next tick; `+0` is ignored. */
export const adapter: SessionAdapter<Ledger, Entry, LedgerAction> = {
  name: 'ledger',
  initialState: {
    total: 0,
    note: '',
    counts: { received: 0, sent: 0, applied: 0, ignored: 0, rejected: {} },
    queue: { length: 0, bytes: 0, launchedAt: 0, lastTick: 0, waiting: [] },
    connection: { status: 'connected', closedBecause: null },
  },
  kind: ({ amount }) => (amount > 0 ? 'credit' : 'none'),
  take(record: CaptureRecord, { queue }, bytes) {
    if (!isKnown(record)) return { actions: [] };
    if (record.type === 'launch') return { actions: [{ type: 'launched', at: record.t }] };
    if (record.type === 'action')
      return record.action.type === 'ended'
        ? { actions: [{ type: 'ended' }] }
        : { actions: [{ type: 'noted', note: String(record.action['payload']) }] };
    if (record.type !== 'recv') return { actions: [] };
    const amount = /^\+(\d+)$/.exec(record.data)?.[1];
    if (amount === undefined)
      return { actions: [{ type: 'rejected' }], rejected: { reason: 'no amount', where: 'amount' } };
    const entry = { amount: Number(amount), bytes, at: record.t - (queue.launchedAt ?? 0) };
    return { actions: [{ type: 'received', entry }], update: entry };
  },
  endsSession: (record) => isKnown(record) && record.type === 'action' && record.action.type === 'ended',
  next({ queue: { waiting, lastTick } }) {
    const [entry] = waiting;
    if (entry === undefined) return undefined;
    const tick = Math.max(Math.ceil(entry.at / TICK_MS) * TICK_MS, lastTick + TICK_MS);
    return { update: entry, bytes: entry.bytes, at: entry.at, tick };
  },
  release: (_state, tick) => [{ type: 'added', tick }],
  waiting: ({ queue }) => queue.waiting,
  notification: ({ amount }, { total }) =>
    amount >= 100 ? { title: 'A large credit', body: `${total}` } : undefined,
  display: ({ total, note }) => `${total} ${note}`.trim(),
  reduce: (state, action) => reduceLedger(state, action),
};

function reduceLedger(state: Ledger, action: LedgerAction): Ledger {
  const { counts, queue } = state;
  switch (action.type) {
    case 'launched':
      return { ...adapter.initialState, queue: { ...adapter.initialState.queue, launchedAt: action.at } };
    case 'ended':
      return { ...adapter.initialState, queue: { ...adapter.initialState.queue, launchedAt: null } };
    case 'noted':
      return { ...state, note: action.note };
    case 'closed':
      return state;
    case 'rejected':
      return { ...state, counts: { ...counts, received: counts.received + 1, rejected: { 'no amount': 1 } } };
    case 'received':
      return {
        ...state,
        counts: { ...counts, received: counts.received + 1 },
        queue: sized(queue, [...queue.waiting, action.entry]),
      };
    case 'added': {
      const [entry, ...waiting] = queue.waiting;
      const amount = entry?.amount ?? 0;
      const effect = amount > 0 ? 'applied' : 'ignored';
      return {
        ...state,
        total: state.total + amount,
        counts: { ...counts, [effect]: counts[effect] + 1 },
        queue: { ...sized(queue, waiting), lastTick: action.tick },
      };
    }
    default:
      return action satisfies never;
  }
}

const sized = (queue: Ledger['queue'], waiting: readonly Entry[]): Ledger['queue'] => ({
  ...queue,
  waiting,
  length: waiting.length,
  bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
});
