import type { Branch } from '../../protocol/protocol.ts';
import type { Core } from './core.ts';
import { latest } from './latest.ts';
import { shownConversation, withEarlier } from './shownConversation.ts';
import { type Compare, baseOf, shownSteps } from './state.ts';

/** So many of the newest messages are drawn: more than are in view, few enough for sixty steps a second. */
const MESSAGES = 20;
/** So many earlier messages come at each request. */
const MORE_MESSAGES = 100;

/** Goes to steps, and shows what stands there. */
export interface Navigate {
  /** Selects a step of the shown branch; one out of range means the nearest there is. */
  go(step: number): void;
  by(steps: number): void;
  /** Goes to the last step at or before a time, milliseconds. */
  goToTime(t: number): void;
  compare(compare: Compare): void;
  /** Pins the selected step: from now on steps are held against it. */
  pin(): void;
  /** Shows the selected step anew: what it stands on has changed. */
  refresh(): void;
  showEarlier(): Promise<void>;
}

export function createNavigate(core: Core): Navigate {
  const { client, store, fail } = core;
  const draw = latest<void>(() => drawStep(core), fail);
  const seek = latest<number>(async (t) => go(await client.ask('stepAt', { branch: branch(), t })), fail);
  const branch = (): Branch => store.get().branch;

  const go = (step: number) => {
    const steps = shownSteps(store.get());
    store.set({ step: Math.min(steps, Math.max(0, step)) });
    draw();
  };
  const compare = (to: Compare) => {
    store.set({ compare: to });
    draw();
  };
  return {
    go,
    compare,
    by: (steps) => go(store.get().step + steps),
    goToTime: seek,
    pin: () => {
      store.set({ pinned: store.get().step, compare: 'pinned' });
      draw();
    },
    refresh: () => draw(),
    showEarlier: () => showEarlier(core),
  };
}

/** One question for all panes, and one for the place in the list; drawn together. */
async function drawStep({ client, store }: Core): Promise<void> {
  const { branch, step } = store.get();
  const base = baseOf(store.get());
  const [view, index] = await Promise.all([
    client.ask('view', { branch, step, messages: MESSAGES, ...(base === undefined ? {} : { base }) }),
    client.ask('rowOf', { step }),
  ]);
  const { list, shown } = store.get();
  store.set({ view, shown: shownConversation(view.conversation, shown), list: { ...list, index } });
}

async function showEarlier({ client, store }: Core): Promise<void> {
  const { shown, view } = store.get();
  if (shown === undefined || view === undefined) return;
  const { branch, step } = view;
  const from = Math.max(0, shown.start - MORE_MESSAGES);
  const earlier = await client.ask('messages', { branch, step, from, to: shown.start });
  // Somebody may have gone elsewhere meanwhile.
  if (store.get().shown === shown) store.set({ shown: withEarlier(shown, earlier) });
}
