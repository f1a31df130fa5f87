import type { ParleyInspectBridge } from '#shared/ipc/channels.ts';
import { SupersededError } from '../../protocol/workerClient.ts';
import type { LoadProgress, SessionInfo, Source, Start } from '../../protocol/protocol.ts';
import { goToStart } from './address.ts';
import { type InspectorState, initialState } from './inspectorState.ts';
import { type Core, errorText } from './inspectorStore.ts';

/** Callbacks for a capture that has been loaded or extended. */
export interface Opened {
  /** Called when another session has been loaded; `step` is the step at which it opens. */
  onLoaded(step: number): void;
  onGrown(info: SessionInfo, before: SessionInfo): void;
}

type Load = (source: Source, start?: Start) => Promise<void>;

/** Creates the functions that open a session. */
export function createOpen(core: Core, opened: Opened) {
  const load = createLoad(core, opened);
  let stopLive: (() => void) | undefined;
  return {
    /** Replaces the shown session; a live one is no longer followed. The new one opens at `start`, before its first step by default. */
    open: (source: Source, start?: Start): Promise<void> => {
      stopLive?.();
      return load(source, start);
    },
    /** Shows a live session and follows it until another one is opened. */
    openLive: (lines: ParleyInspectBridge): void => {
      stopLive = followLive({ core, opened, load }, lines);
    },
  };
}

/** Returns a function that loads a session, of which it shows a part as soon as this contains the step at which the session opens. */
function createLoad(core: Core, opened: Opened): Load {
  const { client, store } = core;
  let unsubscribe: (() => void) | undefined;
  return async (source, start = { step: 0 }) => {
    const { name } = source;
    let isShown = false;
    const show = (step: number, part: Pick<InspectorState, 'phase' | 'info'>) => {
      isShown = true;
      store.set(part);
      opened.onLoaded(step);
    };
    const grow = (phase: InspectorState['phase'], info?: SessionInfo) => {
      const before = store.get().info;
      store.set({ phase });
      if (info === undefined || before === undefined) return;
      store.set({ info });
      opened.onGrown(info, before);
    };
    const onProgress = ({ info, ...rest }: LoadProgress) => {
      if (isShown) grow({ kind: 'ready', rest }, info);
      else if (info !== undefined && 'step' in start && start.step <= info.steps)
        show(start.step, { phase: { kind: 'ready', rest }, info });
      else store.set({ phase: { kind: 'loading', name, ...rest } });
    };
    store.set({ ...nextState(store.get()), phase: { kind: 'loading', name, read: 0, total: 0 } });
    unsubscribe?.();
    const ownUnsubscribe = client.onProgress(onProgress);
    unsubscribe = ownUnsubscribe;
    try {
      const info = await client.request('load', { source });
      const [warning] = info.warnings;
      if (warning !== undefined) core.warn(warning, false);
      if (isShown) return grow({ kind: 'ready' }, info);
      await goToStart(core, start, (step) =>
        show(Math.min(info.steps, step), { phase: { kind: 'ready' }, info }),
      );
    } catch (error) {
      // The session that was opened last is shown, also when an older one is loaded later.
      if (!(error instanceof SupersededError))
        store.set({ phase: { kind: 'failed', name, text: errorText(error) } });
    } finally {
      ownUnsubscribe();
    }
  };
}

/** Returns the state in which the next session is loaded: the initial one, with the settings of the person. */
function nextState(state: InspectorState): InspectorState {
  const { theme, speed, capsIdle, showsCounts, breakpoints, list, isLive, follows } = state;
  const kept = { theme, speed, capsIdle, showsCounts, breakpoints, isLive, follows };
  return { ...initialState, ...kept, list: { ...initialState.list, version: list.version + 1 } };
}

interface Live {
  readonly core: Core;
  readonly opened: Opened;
  readonly load: Load;
}

/** Shows a live session until it is stopped, or until the worker cannot continue it; returns a function that stops it. */
function followLive({ core, opened, load }: Live, lines: ParleyInspectBridge): () => void {
  const { client, store, warn } = core;
  let isStopped = false;
  let hasBegun = false;
  let isBusy = false;
  let waiting = '';
  const stop = () => {
    if (isStopped) return;
    isStopped = true;
    waiting = '';
    for (const unsubscribe of subscriptions) unsubscribe();
    store.set({ isLive: false, follows: false });
  };
  const append = async (text: string, before: SessionInfo) => {
    const info = await client.request('append', { text });
    if (isStopped) return;
    store.set({ info });
    if (info.warnings.length > before.warnings.length) warn(info.warnings.at(-1) ?? '', true);
    opened.onGrown(info, before);
  };
  const takeWaiting = async () => {
    isBusy = true;
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      const before = store.get().info;
      if (before !== undefined) await append(text, before);
      else await load({ kind: 'text', text, name: 'This session' }, { step: Infinity });
      // Without its beginning, the session cannot be continued.
      if (store.get().phase.kind === 'failed') stop();
    }
    isBusy = false;
  };
  const fail = (error: unknown) => {
    if (isStopped) return;
    stop();
    warn(
      `The session is not followed any more: ${errorText(error)} Reload the page to follow it again.`,
      true,
    );
  };
  store.set({ isLive: true, follows: true });
  const subscriptions = [
    lines.onEnded((text) => warn(text, false)),
    lines.onLines((text) => {
      // Before the header of the session, the last lines that the page before a reload requested may arrive.
      hasBegun ||= text.startsWith('{"format":');
      if (!hasBegun) return;
      waiting += text;
      if (!isBusy) void takeWaiting().catch(fail);
    }),
  ];
  return stop;
}
