import type { WebContents } from 'electron';
import type { ToolsHeard } from '#shared/ipc/tools.ts';
import type { Cancel } from '#shared/time/clock.ts';
import { sendTools } from '../window/sendToWindows.ts';
import { messengerWindows } from '../window/messengerWindows.ts';

/** A window, as one that captures or plays. */
export interface AudioWindow {
  readonly id: number;
  tell<C extends keyof ToolsHeard>(channel: C, ...args: ToolsHeard[C]): void;
  /** Runs `task` when its page is no more; not when it is loaded anew. */
  onGone(task: () => void): Cancel;
}

export function audioWindow(contents: WebContents): AudioWindow {
  return {
    id: contents.id,
    tell: (channel, ...args) => sendTools(contents, channel, ...args),
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

/** All windows, the one that a person looks at first. */
export function audioWindows(): AudioWindow[] {
  const windows = messengerWindows();
  return [
    ...windows.filter((window) => window.isFocused()),
    ...windows.filter((window) => !window.isFocused()),
  ].map(({ webContents }) => audioWindow(webContents));
}
