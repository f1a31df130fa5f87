import {
  inspectorRequested,
  quitRequested,
  windowCloseRequested,
  windowMinimizeRequested,
  windowOpenRequested,
  windowShowRequested,
  windowZoomRequested,
} from '#shared/actions/userActions.ts';
import { inspectorShown } from '#shared/actions/mainActions.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import { type WindowOptions, openWindow, showWindow } from '../window/windows.ts';
import { sourceWindow } from './sourceWindow.ts';

interface Options {
  readonly listeners: Listeners;
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly windowOptions: WindowOptions;
  /** Opens the inspector, or brings it to the front. */
  readonly inspect: () => void;
  readonly quit: () => void;
}

/** The new zoom level after each request: the steps of Electron's roles `zoomIn` and `zoomOut`. A level is a power of 1.2; Electron limits it. */
const ZOOM = {
  in: (level: number) => level + 0.5,
  out: (level: number) => level - 0.5,
  reset: () => 0,
} as const;

/** Opens, shows, minimizes, zooms and closes windows, and quits, when it is requested. `followWindows` dispatches main's actions. */
export function performWindowActions(options: Options): void {
  const {
    listeners: { startListening },
    store,
    windowOptions,
    inspect,
    quit,
  } = options;
  startListening({ actionCreator: windowOpenRequested, effect: () => void openWindow(windowOptions) });
  startListening({ actionCreator: windowShowRequested, effect: () => void showWindow(windowOptions) });
  startListening({
    actionCreator: windowMinimizeRequested,
    effect: (action) => sourceWindow(action)?.minimize(),
  });
  startListening({ actionCreator: windowCloseRequested, effect: (action) => sourceWindow(action)?.close() });
  startListening({
    actionCreator: windowZoomRequested,
    effect(action) {
      const contents = sourceWindow(action)?.webContents;
      contents?.setZoomLevel(ZOOM[action.payload.zoom](contents.getZoomLevel()));
    },
  });
  startListening({
    actionCreator: inspectorRequested,
    effect() {
      inspect();
      store.dispatch(inspectorShown());
    },
  });
  startListening({ actionCreator: quitRequested, effect: quit });
}
