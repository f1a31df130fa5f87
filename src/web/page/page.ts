import { createContextBridge } from './contextBridge.ts';
import { IpcRenderer } from './ipcRenderer.ts';
import { Line, type Heard, type Socket } from './line.ts';
import { PageNotifications } from './notifications.ts';
import { Overlay } from './overlay.ts';
import { PageTray } from './tray.ts';
import { encode } from '../bridge.ts';

/** What the page's part of the host needs of the page. */
export interface PageDeps {
  readonly window: Window & typeof globalThis;
  /** Opens the page's WebSocket. */
  readonly connect: () => Socket;
}

/** Makes a page a window: connects it, and shows what the host says of it. */
export function createPage({ window, connect }: PageDeps) {
  const { document } = window;
  forgetToken(window);
  const line = new Line({
    connect,
    later: (task, ms) => window.setTimeout(task, ms),
    soon: (task) => queueMicrotask(task),
    heard: (message) => heard(message),
    opened: () => introduce(),
    lost: () => {
      ipcRenderer.lost();
      overlay.show('stopped');
    },
    reload: () => window.location.reload(),
  });
  const ipcRenderer = new IpcRenderer((message) => line.say(message));
  const overlay = new Overlay(window, {
    show: () => line.say(encode(['show'])),
    reload: () => window.location.reload(),
  });
  const notifications = new PageNotifications(window, {
    surface: overlay,
    happened: (id, event) => line.say(encode(['notification', id, event])),
  });
  const tray = new PageTray(document);

  const tellLoaded = () => line.say(encode(['loaded']));
  const tellFocus = () => line.say(encode(['focus', document.hasFocus()]));
  /** Each connection begins with where the page stands. */
  const introduce = () => {
    tellFocus();
    if (document.readyState !== 'loading') tellLoaded();
  };
  document.addEventListener('DOMContentLoaded', () => line.isOpen() && tellLoaded());
  window.addEventListener('focus', tellFocus);
  window.addEventListener('blur', tellFocus);
  window.addEventListener('pagehide', () => line.leave());

  function heard(message: Heard): void {
    switch (message[0]) {
      case 'send':
        return ipcRenderer.heard(message[1], message[2]);
      case 'answer':
        return ipcRenderer.answered(message[1], message[2]);
      case 'refusal':
        return ipcRenderer.refused(message[1], message[2]);
      case 'window':
        return overlay.show(message[1]);
      case 'tray':
        return tray.show(message[1], message[2]);
      case 'notify':
        return notifications.show(message[1], { title: message[2], body: message[3] });
      case 'dismiss':
        return notifications.close(message[1]);
      default:
        return message satisfies never;
    }
  }

  line.open();
  return { ipcRenderer, contextBridge: createContextBridge(window) };
}

/** The token is spent; it has no business in the address, the history or a bookmark. */
function forgetToken({ location, history }: Window): void {
  const url = new URL(location.href);
  if (!url.searchParams.has('token')) return;
  url.searchParams.delete('token');
  history.replaceState(history.state, '', url);
}
