import type { Branch } from '../../protocol/protocol.ts';
import { type Core, latest } from './core.ts';
import { pictureState, shownConversation, visibleMessages, withEarlier } from './shownConversation.ts';
import { type Compare, comparisonStep, shownSteps, stepBounds } from './state.ts';

/** The number of earlier messages that each request adds. */
const MORE_MESSAGES = 100;

/** Returns the last time that is shown as `t`, milliseconds: times are shown to the millisecond. */
export const endOfShownTime = (t: number): number => t + 0.5 - 1e-6;

/** Selects and shows steps. */
export interface Navigate {
  /** Selects a step of the shown branch; a number out of range selects the first or last step. */
  go(step: number): void;
  by(steps: number): void;
  /** Goes to the first step of the range, or the state before the first step of the session. */
  toFirst(): void;
  /** Goes to the last step of the range or of the session. */
  toLast(): void;
  /** Goes to the last step at or before a time, milliseconds. */
  goToTime(t: number): void;
  /** Goes to the last step whose shown time is at or before a time, milliseconds. */
  goToShownTime(t: number): void;
  compare(compare: Compare): void;
  /** Pins the selected step: other steps are compared with it. */
  pin(): void;
  /** Shows the selected step again after a change of its data. */
  refresh(): void;
  showEarlier(): Promise<void>;
  /** Chooses the window that the conversation pane shows. */
  chooseWindow(number: number): void;
}

/** Creates the navigation. @param height returns the height of the page, in pixels. */
export function createNavigate(core: Core, height: () => number): Navigate {
  const { client, store, fail } = core;
  const draw = latest<void>(() => drawStep(core, height()), fail);
  const seek = latest<number>(async (t) => go(await client.request('stepAt', { branch: branch(), t })), fail);
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
    toFirst: () => go(stepBounds(store.get()).first),
    toLast: () => go(stepBounds(store.get()).last),
    goToTime: seek,
    goToShownTime: (t) => seek(endOfShownTime(t)),
    pin: () => {
      store.set({ pinned: store.get().step, compare: 'pinned' });
      draw();
    },
    refresh: () => draw(),
    showEarlier: () => showEarlier(core),
    chooseWindow: (window) => {
      store.set({ window: { number: window, step: store.get().step } });
      draw();
    },
  };
}

/** Requests the data of all panes and the position in the list, and renders them together. */
async function drawStep({ client, store }: Core, height: number): Promise<void> {
  const { branch, step, window } = store.get();
  const base = comparisonStep(store.get());
  const [view, index] = await Promise.all([
    client.request('view', {
      branch,
      step,
      messages: visibleMessages(height),
      ...(base !== undefined && { base }),
      ...(window !== undefined && { window: window.number, isActPreferred: window.step !== step }),
    }),
    client.request('rowOf', { step }),
  ]);
  const { list, shown: before, picture } = store.get();
  const { parley } = view;
  const shown = parley && shownConversation(parley.conversation, before);
  const drawn = shown && { shown, picture: pictureState(parley.window, shown, picture) };
  store.set({ view, ...drawn, list: { ...list, index } });
}

async function showEarlier({ client, store }: Core): Promise<void> {
  const { shown, view, picture } = store.get();
  if (shown === undefined || view?.parley === undefined) return;
  const { branch, step } = view;
  const from = Math.max(0, shown.start - MORE_MESSAGES);
  const earlier = await client.request('messages', { branch, step, from, to: shown.start });
  // The selected step can have changed meanwhile.
  if (store.get().shown !== shown) return;
  const longer = withEarlier(shown, earlier);
  store.set({ shown: longer, picture: pictureState(view.parley.window, longer, picture) });
}
