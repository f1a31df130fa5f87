import { type Core, latest } from './inspectorStore.ts';
import {
  type Compare,
  type InspectorState,
  comparisonStep,
  shownSteps,
  stepBounds,
} from './inspectorState.ts';
import { pictureState, shownConversation, visibleMessages } from './shownConversation.ts';

/** Returns the last time that is shown as `t`, milliseconds: times are shown to the millisecond. */
export const endOfShownTime = (t: number): number => t + 0.5 - 1e-6;

/** The number of earlier messages that each request adds. */
const MORE_MESSAGES = 100;

/** Selects and shows steps. */
export type Navigate = ReturnType<typeof createNavigate>;

/** Creates the navigation. A move by the person pauses playing and stops following a live session. */
export function createNavigate(core: Core) {
  const { client, store, fail } = core;
  const draw = latest<void>(() => drawStep(core), fail);
  const change = (part: Partial<InspectorState>) => {
    store.set(part);
    draw();
  };
  const within = (step: number) => Math.min(shownSteps(store.get()), Math.max(0, step));
  /** Selects a step of the shown branch, without a move by the person; a number out of range selects the first or last step. */
  const show = (step: number) => change({ step: within(step), messages: undefined });
  const takenOver = { playing: undefined, follows: false, messages: undefined };
  const go = (step: number) => change({ ...takenOver, step: within(step) });
  const seek = latest<number>(
    async (t) => show(await client.request('stepAt', { branch: store.get().branch, t })),
    fail,
  );
  return {
    show,
    go,
    by: (steps: number) => go(store.get().step + steps),
    /** Goes to the first step of the range, or the state before the first step of the session. */
    toFirst: () => go(stepBounds(store.get()).first),
    /** Goes to the last step of the range or of the session. */
    toLast: () => go(stepBounds(store.get()).last),
    /** Goes to the last step at or before a time, milliseconds. */
    goToTime: (t: number) => {
      store.set(takenOver);
      seek(t);
    },
    compare: (compare: Compare) => change({ compare }),
    /** Pins the selected step: other steps are compared with it. */
    pin: () => change({ pinned: store.get().step, compare: 'pinned' }),
    /** Chooses the window that the conversation pane shows. */
    chooseWindow: (number: number) => change({ window: { number, step: store.get().step } }),
    showEarlier: () => {
      const { shown } = store.get();
      if (shown !== undefined) change({ messages: shown.total - shown.start + MORE_MESSAGES });
    },
  };
}

/** Requests the data of all panes and the position in the list, and renders them together. */
async function drawStep({ client, store }: Core): Promise<void> {
  const { branch, step, window, messages } = store.get();
  const base = comparisonStep(store.get());
  const [view, index] = await Promise.all([
    client.request('view', {
      branch,
      step,
      ...(messages === undefined ? { room: visibleMessages(innerHeight) } : { messages }),
      ...(base !== undefined && { base }),
      ...(window && { window: window.number, isActPreferred: window.step !== step }),
    }),
    client.request('rowOf', { step }),
  ]);
  const { list, shown: before, picture } = store.get();
  const { parley } = view;
  const shown = parley && shownConversation(parley.conversation, before);
  const drawn = shown && { shown, picture: pictureState(parley.window, shown, picture) };
  store.set({ view, ...drawn, list: { ...list, index } });
}
