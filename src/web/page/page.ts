import { onPageSecret, readPageSecret, takePageSecret } from '#loopback/pageSecret.ts';
import { createContextBridge } from './contextBridge.ts';
import { IpcRenderer } from './ipcRenderer.ts';
import { Line, type Heard, type Socket } from './line.ts';
import { PageNotifications } from './notifications.ts';
import { openTab } from './openTab.ts';
import { Overlay } from './overlay.ts';
import { PageShortcuts } from './shortcuts.ts';
import { PageTray } from './tray.ts';
import { encode } from '../bridge/bridge.ts';

/** What the page's part of the host needs of the page. */
export interface PageDeps {
  readonly window: Window & typeof globalThis;
  /** Opens the page's WebSocket, with the origin's secret. */
  readonly connect: (pageSecret: string | null) => Socket;
}

/** Makes a page a window: connects it, and shows what the host says of it. */
export function createPage({ window, connect }: PageDeps) {
  takePageSecret(window);
  const line = new Line({
    // Read again each time: another tab may have entered a host that was started since.
    connect: () => connect(readPageSecret(window)),
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
  const tray = new PageTray(window.document);
  const shortcuts = new PageShortcuts(window, (accelerator) => line.say(encode(['shortcut', accelerator])));

  const introduce = tellOfPage(window, line);

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
      case 'shortcuts':
        return shortcuts.set(message[1]);
      case 'notify':
        return notifications.show(message[1], { title: message[2], body: message[3] });
      case 'copy':
        return void copy(window, message[2]).then((isCopied) =>
          line.say(encode(['copied', message[1], isCopied])),
        );
      case 'dismiss':
        return notifications.close(message[1]);
      case 'open':
        return openTab({ window, surface: overlay, path: message[1], name: message[2] });
      default:
        return message satisfies never;
    }
  }

  if (readPageSecret(window) !== null) line.open();
  else awaitPageSecret(window, overlay);
  return { ipcRenderer, contextBridge: createContextBridge(window) };
}

/** Without the origin's secret the host would refuse the bridge: the page says what to do, until another tab has done it. */
function awaitPageSecret(window: Window, overlay: Overlay): void {
  overlay.show('unknown');
  onPageSecret(window, () => window.location.reload());
}

/** Tells what becomes of the page. Gives what each connection begins with: where the page stands. */
function tellOfPage(window: Window, line: Line): () => void {
  const { document } = window;
  const tellLoaded = () => line.say(encode(['loaded']));
  const tellFocus = () => line.say(encode(['focus', document.hasFocus() && !document.hidden]));
  // Not `readyState`: it is `interactive` before the page's own script has run, which is to hear what comes of it.
  let isLoaded = false;
  document.addEventListener('DOMContentLoaded', () => {
    isLoaded = true;
    if (line.isOpen()) tellLoaded();
  });
  for (const event of ['focus', 'blur']) window.addEventListener(event, tellFocus);
  document.addEventListener('visibilitychange', tellFocus);
  window.addEventListener('pagehide', () => line.leave());
  return () => {
    tellFocus();
    if (isLoaded) tellLoaded();
  };
}

/** Whether it was copied: the browser may ask for a press of a button just now, or not allow it at all. */
const copy = ({ navigator }: Window, text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
