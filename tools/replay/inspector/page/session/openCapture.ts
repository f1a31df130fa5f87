import type { SessionInfo, Source } from '../../protocol/protocol.ts';
import type { ParleyInspectBridge } from '#shared/ipc/inspect.ts';
import { type Core, errorText } from './core.ts';
import { initialState } from './state.ts';

/** Callbacks for a capture that has been loaded or extended. */
export interface Opened {
  /** Called when another session has been loaded; `step` is the step at which it opens. */
  onLoaded(step: number): void;
  onGrown(info: SessionInfo, before: SessionInfo): void;
}

/** Replaces the shown capture; the new one opens at `step`, 0 by default. */
export async function openCapture(core: Core, opened: Opened, what: { source: Source; step?: number }) {
  const { client, store } = core;
  const { name } = what.source;
  const { theme, speed, capsIdle, list, isLive, follows } = store.get();
  const kept = {
    theme,
    speed,
    capsIdle,
    isLive,
    follows,
    list: { ...initialState.list, version: list.version + 1 },
  };
  store.set({ ...initialState, ...kept, phase: { kind: 'loading', name, read: 0, total: 0 } });
  const unsubscribe = client.onProgress((progress) =>
    store.set({ phase: { kind: 'loading', name, ...progress } }),
  );
  try {
    const info = await client.request('load', { source: what.source });
    const [warning] = info.warnings;
    const notice = warning === undefined ? undefined : { text: warning, isError: false };
    store.set({ phase: { kind: 'ready' }, info, notice });
    opened.onLoaded(Math.min(info.steps, what.step ?? 0));
  } catch (error) {
    store.set({ phase: { kind: 'failed', name, text: errorText(error) } });
  } finally {
    unsubscribe();
  }
}

/** Shows a live session and follows it; returns a function that unsubscribes. */
export function openLive(core: Core, opened: Opened, lines: ParleyInspectBridge): () => void {
  const { client, store, fail } = core;
  let waiting = '';
  let isBusy = false;
  const take = async () => {
    isBusy = true;
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      const before = store.get().info;
      if (before === undefined) {
        const source = { kind: 'text', text, name: 'This session' } as const;
        await openCapture(core, opened, { source, step: Number.POSITIVE_INFINITY });
      } else {
        const info = await client.request('append', { text });
        store.set({ info });
        opened.onGrown(info, before);
      }
    }
    isBusy = false;
  };
  store.set({ isLive: true, follows: true });
  const unsubscribeEnd = lines.onEnded(core.notify);
  const unsubscribeLines = lines.onLines((text) => {
    waiting += text;
    if (!isBusy) void take().catch(fail);
  });
  return () => {
    unsubscribeLines();
    unsubscribeEnd();
  };
}
