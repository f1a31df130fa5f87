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

/** An action, with what it does. */
interface LedgerAction {
  readonly type: string;
  readonly change: (state: Ledger) => Partial<Ledger>;
}

/** Entries are added at multiples of this time, one at a time. */
const TICK_MS = 50;

const QUEUE = { length: 0, bytes: 0, launchedAt: 0, lastTick: 0, waiting: [] };
const NEW: Ledger = {
  total: 0,
  note: '',
  counts: { received: 0, sent: 0, applied: 0, ignored: 0, rejected: {} },
  queue: QUEUE,
  connection: { status: 'connected', closedBecause: null },
};

const doing = (type: string, change: LedgerAction['change']) => ({ actions: [{ type, change }] });

const queueOf = (queue: Ledger['queue'], waiting: readonly Entry[]): Ledger['queue'] => ({
  ...queue,
  waiting,
  length: waiting.length,
  bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** Counts a received frame. */
const counted = ({ counts }: Ledger, part: Partial<Ledger['counts']> = {}) => ({
  counts: { ...counts, received: counts.received + 1, ...part },
});

/** An adapter of a small app that keeps the session in its own state: a frame `+5` adds to a total at the next tick; `+0` is ignored. */
export const adapter: SessionAdapter<Ledger, Entry, LedgerAction> = {
  name: 'ledger',
  initialState: NEW,
  kind: ({ amount }) => (amount > 0 ? 'credit' : 'none'),
  take(record: CaptureRecord, { queue: { launchedAt } }, bytes) {
    if (!isKnown(record)) return { actions: [] };
    if (record.type === 'launch')
      return doing('launched', () => ({ ...NEW, queue: { ...QUEUE, launchedAt: record.t } }));
    if (record.type === 'action' && record.action.type === 'ended')
      return doing('ended', () => ({ ...NEW, queue: { ...QUEUE, launchedAt: null } }));
    if (record.type === 'action') return doing('noted', () => ({ note: String(record.action['payload']) }));
    if (record.type !== 'recv') return { actions: [] };
    const amount = /^\+(\d+)$/.exec(record.data)?.[1];
    if (amount === undefined)
      return {
        ...doing('rejected', (state) => counted(state, { rejected: { 'no amount': 1 } })),
        rejected: { reason: 'no amount', where: 'amount' },
      };
    const update = { amount: Number(amount), bytes, at: record.t - (launchedAt ?? 0) };
    return {
      ...doing('received', (state) => ({
        ...counted(state),
        queue: queueOf(state.queue, [...state.queue.waiting, update]),
      })),
      update,
    };
  },
  endsSession: (record) => isKnown(record) && record.type === 'action' && record.action.type === 'ended',
  next({ queue: { waiting, lastTick } }) {
    const [entry] = waiting;
    if (entry === undefined) return undefined;
    const tick = Math.max(Math.ceil(entry.at / TICK_MS) * TICK_MS, lastTick + TICK_MS);
    return { update: entry, bytes: entry.bytes, at: entry.at, tick };
  },
  release: (_state, tick) =>
    doing('added', ({ total, counts, queue }) => {
      const [entry, ...waiting] = queue.waiting;
      const effect = entry !== undefined && entry.amount > 0 ? 'applied' : 'ignored';
      return {
        total: total + (entry?.amount ?? 0),
        counts: { ...counts, [effect]: counts[effect] + 1 },
        queue: { ...queueOf(queue, waiting), lastTick: tick },
      };
    }).actions,
  waiting: ({ queue }) => queue.waiting,
  notification: ({ amount }, { total }) =>
    amount >= 100 ? { title: 'A large credit', body: `${total}` } : undefined,
  display: ({ total, note }) => `${total} ${note}`.trim(),
  reduce: (state, { change }) => ({ ...state, ...change(state) }),
};
