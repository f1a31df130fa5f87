import type { WebContents } from 'electron';
import type { ToolsReceived } from '#shared/ipc/channels.ts';
import type { Cancel } from '#shared/clock.ts';
import { sendTools } from '../window/sendToWindows.ts';
import { messengerWindows } from '../window/messengerWindows.ts';

/** A window that can record or play audio. */
export interface AudioWindow {
  readonly id: number;
  send<C extends keyof ToolsReceived>(channel: C, ...args: ToolsReceived[C]): void;
  /** Runs `task` when the page is gone; not when it reloads. */
  onGone(task: () => void): Cancel;
}

/** Returns a page as an audio window. */
export function audioWindow(contents: WebContents): AudioWindow {
  return {
    id: contents.id,
    send: (channel, ...args) => sendTools(contents, channel, ...args),
    onGone(task) {
      contents.on('destroyed', task);
      contents.on('render-process-gone', task);
      return () => {
        contents.off('destroyed', task);
        contents.off('render-process-gone', task);
      };
    },
  };
}

/** Returns all windows, the focused one first. */
export function audioWindows(): AudioWindow[] {
  const windows = messengerWindows();
  return [
    ...windows.filter((window) => window.isFocused()),
    ...windows.filter((window) => !window.isFocused()),
  ].map(({ webContents }) => audioWindow(webContents));
}
