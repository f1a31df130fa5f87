import { onPageSecret, readPageSecret, takePageSecret } from '#loopback/pageSecret.ts';
import { createContextBridge } from './contextBridge.ts';
import { IpcRenderer } from './ipcRenderer.ts';
import { HostConnection, type HostMessage, type Socket } from './hostConnection.ts';
import { PageNotifications } from './notifications.ts';
import { openTab } from './openTab.ts';
import { Overlay } from './overlay.ts';
import type { Found } from './reachHost.ts';
import { PageShortcuts } from './shortcuts.ts';
import { PageTray } from './tray.ts';
import { encode } from '../bridge/bridge.ts';

/** The parts of the page that are used. */
interface PageDeps {
  readonly window: Window & typeof globalThis;
  /** Opens the page's WebSocket, with the origin's secret. */
  readonly connect: (pageSecret: string | null) => Socket;
  /** Looks for a host that the page has lost. */
  readonly reach: (key: string | null) => Promise<Found>;
}

/** Connects a page to the host as a window, and shows its state. */
export function createPage({ window, connect, reach }: PageDeps) {
  takePageSecret(window);
  const connection = new HostConnection({
    // Read again for each connection: another tab may have opened the address of a newer host.
    connect: () => connect(readPageSecret(window)),
    later: (task, ms) => window.setTimeout(task, ms),
    onMessage: (message) => handleMessage(message, parts),
    opened: () => introduce(),
    lost: () => {
      ipcRenderer.lost();
      overlay.show('stopped');
    },
    reach,
    unknown: () => overlay.show('restarted'),
    reload: () => window.location.reload(),
  });
  const ipcRenderer = new IpcRenderer((message) => connection.send(message));
  const overlay = new Overlay(window, {
    show: () => connection.send(encode(['show'])),
    reload: () => window.location.reload(),
    retry: () => void connection.retry(),
  });
  const notifications = new PageNotifications(window, {
    overlay,
    onEvent: (id, event) => connection.send(encode(['notification', id, event])),
  });
  const tray = new PageTray(window.document);
  const shortcuts = new PageShortcuts(window, (accelerator) =>
    connection.send(encode(['shortcut', accelerator])),
  );

  const parts: PageParts = { window, connection, ipcRenderer, overlay, notifications, tray, shortcuts };
  const introduce = reportPage(window, connection);

  if (readPageSecret(window) !== null) connection.open();
  else overlay.show('unknown');
  // The person has opened an address with a token in another tab. A page that is connected goes on.
  onPageSecret(window, () => overlay.isWaitingForSecret && window.location.reload());
  return { ipcRenderer, contextBridge: createContextBridge(window) };
}

interface PageParts {
  readonly window: PageDeps['window'];
  readonly connection: HostConnection;
  readonly ipcRenderer: IpcRenderer;
  readonly overlay: Overlay;
  readonly notifications: PageNotifications;
  readonly tray: PageTray;
  readonly shortcuts: PageShortcuts;
}

/** Passes a message from the host to the part of the page that handles it. */
function handleMessage(message: HostMessage, parts: PageParts): void {
  const { window, connection, ipcRenderer, overlay, notifications, tray, shortcuts } = parts;
  switch (message[0]) {
    case 'send':
      return ipcRenderer.receive(message[1], message[2]);
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
        connection.send(encode(['copied', message[1], isCopied])),
      );
    case 'dismiss':
      return notifications.close(message[1]);
    case 'open':
      return openTab({ window, overlay, path: message[1], name: message[2] });
    default:
      return message satisfies never;
  }
}

/** Reports the page's events. Returns a function that reports its current state to a new connection. */
function reportPage(window: Window, connection: HostConnection): () => void {
  const { document } = window;
  const sendLoaded = () => connection.send(encode(['loaded']));
  const sendFocus = () => connection.send(encode(['focus', document.hasFocus() && !document.hidden]));
  // Not `readyState`: it is `interactive` before the page's own script has run and listens.
  let isLoaded = false;
  document.addEventListener('DOMContentLoaded', () => {
    isLoaded = true;
    if (connection.isOpen()) sendLoaded();
  });
  for (const event of ['focus', 'blur']) window.addEventListener(event, sendFocus);
  document.addEventListener('visibilitychange', sendFocus);
  window.addEventListener('pagehide', () => connection.leave());
  return () => {
    sendFocus();
    if (isLoaded) sendLoaded();
  };
}

/** Copies text; resolves to whether it was copied. The browser may require a recent press, or deny it. */
const copy = ({ navigator }: Window, text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
