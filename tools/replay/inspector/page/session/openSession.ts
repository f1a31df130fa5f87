import type { ParleyInspectBridge } from '#shared/ipc/channels.ts';
import { SupersededError } from '../../protocol/workerClient.ts';
import type { LoadProgress, SessionInfo, Source, Start } from '../../protocol/protocol.ts';
import { goToStart } from './address.ts';
import { type InspectorState, type Phase, initialState } from './inspectorState.ts';
import { type Core, errorText } from './inspectorStore.ts';

/** Callbacks for a capture that has been loaded or extended. */
interface Opened {
  /** Called when another session has been loaded; `step` is the step at which it opens. */
  onLoaded(step: number): void;
  onGrown(info: SessionInfo, before: SessionInfo): void;
}

/** Where the lines of a live session come from. */
type Lines = Pick<ParleyInspectBridge, 'onLines' | 'onEnded'>;

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
    openLive: (lines: Lines): void => {
      stopLive = followLive(core, { ...opened, load }, lines);
    },
  };
}

/** Returns a function that loads a session, of which it shows a part as soon as this contains the step at which the session opens. */
function createLoad(core: Core, opened: Opened): Load {
  const { client, store } = core;
  let unsubscribe: (() => void) | undefined;
  return async (source, start = { step: 0 }) => {
    const { name } = source;
    const first = 'step' in start ? start.step : Infinity;
    const show = (phase: Phase, info?: SessionInfo, step = first) => {
      const before = store.get().info;
      store.set({ phase, info: info ?? before });
      if (info === undefined) return;
      if (before === undefined) opened.onLoaded(step);
      else opened.onGrown(info, before);
    };
    const onProgress = ({ info, ...rest }: LoadProgress) => {
      const isShown = store.get().info !== undefined || (info !== undefined && first <= info.steps);
      if (isShown) show({ kind: 'ready', rest }, info);
      else store.set({ phase: { kind: 'loading', name, ...rest } });
    };
    store.set({
      ...nextState(store.get()),
      isServed: source.kind === 'url',
      phase: { kind: 'loading', name, read: 0, total: 0 },
    });
    unsubscribe?.();
    const ownUnsubscribe = client.onProgress(onProgress);
    unsubscribe = ownUnsubscribe;
    try {
      const info = await client.request('load', { source });
      const [warning] = info.warnings;
      if (warning !== undefined) core.warn(warning, false);
      if (store.get().info !== undefined) return show({ kind: 'ready' }, info);
      await goToStart(core, start, (step) => show({ kind: 'ready' }, info, Math.min(info.steps, step)));
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

/** Shows a live session until it is stopped, or until the worker cannot continue it; returns a function that stops it. */
function followLive(core: Core, { onGrown, load }: Opened & { load: Load }, lines: Lines) {
  const { client, store, warn } = core;
  let isStopped = false;
  let hasBegun = false;
  let shown = Promise.resolve();
  const stop = () => {
    if (isStopped) return;
    isStopped = true;
    for (const unsubscribe of subscriptions) unsubscribe();
    store.set({ isLive: false, follows: false });
  };
  const show = async (text: string) => {
    const before = store.get().info;
    if (isStopped) return;
    if (before === undefined) {
      await load({ kind: 'text', text, name: 'This session' }, { step: Infinity });
      // Without its beginning, the session cannot be continued.
      if (store.get().phase.kind === 'failed') stop();
      return;
    }
    const info = await client.request('append', { text });
    if (isStopped) return;
    store.set({ info });
    if (info.warnings.length > before.warnings.length) warn(info.warnings.at(-1) ?? '', true);
    onGrown(info, before);
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
      if (hasBegun) shown = shown.then(() => show(text)).catch(fail);
    }),
  ];
  return stop;
}
