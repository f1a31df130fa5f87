import type { AppAdapter } from '../engine/appAdapter.ts';

/** The state of the counter. */
export interface Counter {
  readonly totals: { readonly [name: string]: number };
  readonly isOpen: boolean;
}

/** An update of the counter. */
export type Added = readonly [name: string, amount: number];

/** The type of {@link counterAdapter}. */
export type CounterAdapter = AppAdapter<Counter, Added>;

/** An adapter of a small app: a frame `name amount` adds an amount to a total; `name 0` changes nothing. */
export const counterAdapter: CounterAdapter = {
  name: 'counter',
  decode(data) {
    if (typeof data !== 'string') return { update: ['bytes', data.length] };
    const [name = '', amount = ''] = data.split(' ');
    if (!/^\d+$/.test(amount)) return { rejected: 'no amount', where: `${name}.amount` };
    return { update: [name, Number(amount)] };
  },
  kind: ([name]) => name,
  initialState: { totals: {}, isOpen: false },
  reduce: (state, [name, amount]) =>
    amount === 0
      ? state
      : { ...state, totals: { ...state.totals, [name]: (state.totals[name] ?? 0) + amount } },
  reduceAction: (state, { type }) => ({ ...state, isOpen: type === 'connection/opened' }),
  display: ({ totals }) => ({ text: Object.entries(totals).map(([name, total]) => `${name}: ${total}`) }),
};
