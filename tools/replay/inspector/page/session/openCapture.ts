import type { SessionInfo, Source } from '../../protocol/protocol.ts';
import type { Start } from '../../protocol/start.ts';
import type { ParleyInspectBridge } from '#shared/ipc/inspect.ts';
import { type Core, errorText } from './core.ts';
import { endOfShownTime } from './navigate.ts';
import { initialState } from './state.ts';

/** Callbacks for a capture that has been loaded or extended. */
export interface Opened {
  /** Called when another session has been loaded; `step` is the step at which it opens. */
  onLoaded(step: number): void;
  onGrown(info: SessionInfo, before: SessionInfo): void;
}

/** Returns the step at which a loaded session opens; the last one, with a notice, when it does not have the update. */
export async function findStartStep({ client, store, notify }: Core, start: Start): Promise<number> {
  if ('step' in start) return start.step;
  const { branch } = store.get();
  if ('t' in start) return client.request('stepAt', { branch, t: endOfShownTime(start.t) });
  const target = { kind: 'update', number: start.update } as const;
  const step = await client.request('find', { branch, from: 0, direction: 'forward', target });
  if (step === undefined) notify(`There is no update ${start.update} in this session.`);
  return step ?? Infinity;
}

/** Replaces the shown capture; the new one opens at `start`, before its first step by default. */
export async function openCapture(core: Core, opened: Opened, what: { source: Source; start?: Start }) {
  const { client, store } = core;
  const { name } = what.source;
  const { theme, speed, capsIdle, breakpoints, list, isLive, follows } = store.get();
  const kept = {
    theme,
    speed,
    capsIdle,
    breakpoints,
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
    store.set({ notice });
    const step = what.start === undefined ? 0 : await findStartStep(core, what.start);
    store.set({ phase: { kind: 'ready' }, info });
    opened.onLoaded(Math.min(info.steps, step));
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
        await openCapture(core, opened, { source, start: { step: Infinity } });
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
