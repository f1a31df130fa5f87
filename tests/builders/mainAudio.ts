import type { ToolsHeard } from '#shared/ipc/tools.ts';
import type { AudioWindow } from '#main/audio/audioWindow.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { sessionEnded, sessionLaunched } from '#shared/store/session.ts';
import { updateApplied } from '#shared/store/updates.ts';
import { type MainStoreOptions, mainStore } from './mainStore.ts';

/** A window, and what it was told on the channels that Parley adds. */
export interface TestAudioWindow extends AudioWindow {
  readonly told: (readonly [channel: keyof ToolsHeard, ...args: unknown[]])[];
  /** Its page is no more. */
  vanish(): void;
  /** How many look out for its end. */
  watchers(): number;
}

function testWindow(id: number): TestAudioWindow {
  const told: TestAudioWindow['told'] = [];
  const watchers = new Set<() => void>();
  return {
    id,
    told,
    send: (channel, ...args: readonly unknown[]) => void told.push([channel, ...args]),
    onGone(task) {
      watchers.add(task);
      return () => watchers.delete(task);
    },
    vanish: () => [...watchers].forEach((task) => task()),
    watchers: () => watchers.size,
  };
}

interface Options extends MainStoreOptions {
  readonly isAudioOn?: boolean;
  /** Whether another program has the shortcut. */
  readonly isShortcutTaken?: boolean;
  /** How many windows there are. */
  readonly windows?: number;
  /** How many of them have their page already; all by default. */
  readonly loaded?: number;
}

/** The audio module with the real store and listeners, on a clock that the test turns. */
export async function mainAudio({
  isAudioOn = true,
  isShortcutTaken = false,
  windows: count = 2,
  loaded = count,
  ...options
}: Options = {}) {
  const main = await mainStore(options);
  const { store, listeners, clock } = main;
  const { setUpAudio } = await import('#main/audio/setUpAudio.ts');
  const shortcuts = new Map<string, () => void>();
  const windows = Array.from({ length: count }, (_, id) => testWindow(id + 1));
  const told: unknown[][] = [];
  const setting = { isAudioOn };
  const audio = setUpAudio({
    store,
    listeners,
    clock,
    isAudioOn: () => setting.isAudioOn,
    windows: () => windows,
    sendToWindows: (channel, ...args) => void told.push([channel, ...args]),
    shortcuts: {
      register(accelerator, press) {
        if (!isShortcutTaken) shortcuts.set(accelerator, press);
        return !isShortcutTaken;
      },
      unregister: (accelerator) => void shortcuts.delete(accelerator),
    },
  });
  for (const window of windows.slice(0, loaded)) audio.loaded(window);
  return {
    ...main,
    audio,
    windows,
    /** What every window was told on the channels of spec §6.3. */
    told,
    /** Forgets what was told so far, and gives it. */
    takeTold: () => told.splice(0),
    shortcuts,
    setting,
    state: () => store.getState().audio,
    launch: () => void store.dispatch(sessionLaunched({ launchedAt: clock.now() })),
    endSession: () => void store.dispatch(sessionEnded()),
    /** An update is applied, as at its tick. */
    apply(frame: object) {
      const update = decodeUpdate(JSON.stringify(frame));
      if (update.kind === 'rejected') throw new Error(`no update: ${update.where ?? update.reason}`);
      store.dispatch(updateApplied({ update, bytes: 0 }));
    },
    press: () => shortcuts.get('CommandOrControl+Return')?.(),
  };
}
