import type { SessionInfo, Source, Start } from '../../protocol/protocol.ts';
import type { LoadProgress } from '../../protocol/protocol.ts';
import type { ParleyInspectBridge } from '#shared/ipc/channels.ts';
import { type Core, errorText } from './core.ts';
import { goToStart } from './share.ts';
import { initialState } from './state.ts';

/** Callbacks for a capture that has been loaded or extended. */
export interface Opened {
  /** Called when another session has been loaded; `step` is the step at which it opens. */
  onLoaded(step: number): void;
  onGrown(info: SessionInfo, before: SessionInfo): void;
}

/** Opens captures and live sessions. */
export interface Open {
  /** Replaces the shown session; a live one is no longer followed. The new one opens at `start`, before its first step by default. */
  capture(source: Source, start?: Start): Promise<void>;
  /** Shows a live session and follows it until another one is opened; returns a function that unsubscribes. */
  live(lines: ParleyInspectBridge): () => void;
}

/** Creates the functions that open a session. */
export function createOpen(core: Core, opened: Opened): Open {
  const load = createLoad(core, opened);
  let stopLive: (() => void) | undefined;
  return {
    capture(source, start) {
      stopLive?.();
      return load(source, start);
    },
    live(lines) {
      stopLive?.();
      return (stopLive = followLive({ core, opened, load }, lines));
    },
  };
}

type Load = (source: Source, start?: Start) => Promise<void>;

/** Returns a function that loads a session. The newest load counts: an older one that ends later changes nothing. */
function createLoad(core: Core, opened: Opened): Load {
  const { client, store } = core;
  let loads = 0;
  return async (source, start = { step: 0 }) => {
    const load = ++loads;
    const { name } = source;
    const { theme, speed, capsIdle, showsCounts, breakpoints, list, isLive, follows } = store.get();
    const kept = {
      theme,
      speed,
      capsIdle,
      showsCounts,
      breakpoints,
      isLive,
      follows,
      list: { ...initialState.list, version: list.version + 1 },
    };
    store.set({ ...initialState, ...kept, phase: { kind: 'loading', name, read: 0, total: 0 } });
    const parts = showParts(core, opened, { name, start });
    const unsubscribe = client.onProgress((progress) => {
      if (load === loads) parts.show(progress);
    });
    try {
      const info = await client.request('load', { source });
      if (load !== loads) return;
      const [warning] = info.warnings;
      if (warning !== undefined) store.set({ warning: { text: warning, isError: false } });
      if (parts.end(info)) return;
      await goToStart(core, start, (step) => {
        if (load !== loads) return;
        store.set({ phase: { kind: 'ready' }, info });
        opened.onLoaded(Math.min(info.steps, step));
      });
    } catch (error) {
      if (load === loads) store.set({ phase: { kind: 'failed', name, text: errorText(error) } });
    } finally {
      unsubscribe();
    }
  };
}

/** A session that is being loaded. */
interface LoadedSession {
  readonly name: string;
  readonly start: Start;
}

/** Shows the progress of a load, and the part of the session that has been read as soon as it contains the step at which the session opens. */
function showParts({ store }: Core, opened: Opened, { name, start }: LoadedSession) {
  let isShown = false;
  const grow = (info: SessionInfo) => {
    const before = store.get().info ?? info;
    store.set({ info });
    opened.onGrown(info, before);
  };
  return {
    show({ info, ...rest }: LoadProgress): void {
      if (!isShown && info !== undefined && 'step' in start && start.step <= info.steps) {
        isShown = true;
        store.set({ phase: { kind: 'ready', rest }, info });
        opened.onLoaded(start.step);
      } else if (isShown) {
        store.set({ phase: { kind: 'ready', rest } });
        if (info !== undefined) grow(info);
      } else store.set({ phase: { kind: 'loading', name, ...rest } });
    },
    /** Shows the rest of the session, unless no part of it is shown; returns whether one is. */
    end(info: SessionInfo): boolean {
      if (!isShown) return false;
      store.set({ phase: { kind: 'ready' } });
      grow(info);
      return true;
    },
  };
}

interface Live {
  readonly core: Core;
  readonly opened: Opened;
  readonly load: Load;
}

/** Returns whether lines of a capture begin with its header. */
const isBeginning = (text: string): boolean => text.startsWith('{"format":');

/** Shows a live session until it is stopped, or until the worker cannot continue it. */
function followLive({ core, opened, load }: Live, lines: ParleyInspectBridge): () => void {
  const { client, store, warn } = core;
  const following = { isStopped: false, hasBegun: false, isBusy: false, waiting: '' };
  const append = async (text: string, before: SessionInfo) => {
    const info = await client.request('append', { text });
    if (following.isStopped) return;
    store.set({ info });
    if (info.warnings.length > before.warnings.length) warn(info.warnings.at(-1) ?? '', true);
    opened.onGrown(info, before);
  };
  const take = async () => {
    following.isBusy = true;
    while (following.waiting !== '' && !following.isStopped) {
      const text = following.waiting;
      following.waiting = '';
      const before = store.get().info;
      if (before !== undefined) await append(text, before);
      else await load({ kind: 'text', text, name: 'This session' }, { step: Infinity });
      // Without its beginning, the session cannot be continued.
      if (store.get().phase.kind === 'failed') stop();
    }
    following.isBusy = false;
  };
  store.set({ isLive: true, follows: true });
  const subscriptions = [
    lines.onEnded((text) => warn(text, false)),
    lines.onLines((text) => {
      // Before a session begins, the last lines that the page before a reload requested may arrive.
      following.hasBegun ||= isBeginning(text);
      if (!following.hasBegun) return;
      following.waiting += text;
      if (!following.isBusy && !following.isStopped) void take().catch(fail);
    }),
  ];
  return stop;

  function stop(): void {
    if (following.isStopped) return;
    following.isStopped = true;
    for (const unsubscribe of subscriptions) unsubscribe();
    store.set({ isLive: false, follows: false });
  }

  function fail(error: unknown): void {
    if (following.isStopped) return;
    stop();
    const text = `The session is not followed any more: ${errorText(error)} Reload the page to follow it again.`;
    warn(text, true);
  }
}
