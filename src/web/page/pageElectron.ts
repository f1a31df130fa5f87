import type * as Electron from 'electron';
import { onPageSecret, readPageSecret, takePageSecret, keepPageSecret } from '#loopback/pageSecret.ts';
import { isPressed, parseAccelerator } from '../bridge/accelerator.ts';
import { encode, BRIDGE_PATH, bridgeProtocols } from '../bridge/bridge.ts';
import { type Found, HostConnection, type HostMessage, type Socket, reachHost } from './hostConnection.ts';
import { IpcRenderer } from './ipcRenderer.ts';
import { PageNotifications, openTab } from './notifications.ts';
import { Overlay } from './overlay.ts';

/** The parts of the page that are used. */
interface PageDeps {
  readonly window: Window & typeof globalThis;
  /** Opens the page's WebSocket, with the origin's secret. */
  readonly connect: (pageSecret: string | null) => Socket;
  /** Looks for a host that the page has lost. */
  readonly reach: (key: string | null) => Promise<Found>;
}

/** Connects a page to the host as a window, and shows its state. */
function createPage({ window, connect, reach }: PageDeps) {
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
  const ipcRenderer = new IpcRenderer(connection);
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

/** Main's global shortcuts while this page has the keyboard focus. */
class PageShortcuts {
  #accelerators: readonly string[] = [];

  /** @param pressed receives the accelerator that was pressed. A key that is held down counts once. */
  constructor(window: Window, pressed: (accelerator: string) => void) {
    const isMac = window.navigator.userAgent.includes('Mac OS');
    // In the capture phase, before the page: outside of a browser the system would consume the key.
    window.addEventListener(
      'keydown',
      (event) => {
        const accelerator = this.#accelerators.find((one) => isPressed(parseAccelerator(one, isMac), event));
        if (accelerator === undefined) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        if (!event.repeat) pressed(accelerator);
      },
      { capture: true },
    );
  }

  set(accelerators: readonly string[]): void {
    this.#accelerators = accelerators;
  }
}

/** Main's tray, shown as this page's title and icon. */
class PageTray {
  /** The document's title, restored when the tray is destroyed. */
  #own: string | null = null;
  #icon: HTMLLinkElement | null = null;

  constructor(private readonly document: Document) {}

  show(title: string | null, icon: string | null): void {
    this.#afterItsOwn(() => {
      this.#showTitle(title);
      if (icon === null) this.#icon?.remove();
      else this.#link().href = icon;
    });
  }

  #showTitle(title: string | null): void {
    this.#own ??= this.document.title;
    this.document.title = title ?? this.#own;
  }

  /** The preload runs before the document's own title and icon are read, and the last ones count. */
  #afterItsOwn(task: () => void): void {
    if (this.document.readyState === 'loading') {
      this.document.addEventListener('DOMContentLoaded', task, { once: true });
    } else task();
  }

  #link(): HTMLLinkElement {
    this.#icon ??= Object.assign(this.document.createElement('link'), { rel: 'icon' });
    if (!this.#icon.isConnected) this.document.head.append(this.#icon);
    return this.#icon;
  }
}

/** Creates Electron's `contextBridge`, which adds an object of the preload to the page's window permanently. */
function createContextBridge(window: object) {
  return {
    /** @throws {Error} when the window already has the name. */
    exposeInMainWorld(apiKey: string, api: object): void {
      if (apiKey in window) {
        throw new Error(`Cannot bind an API on top of an existing property on the window object: ${apiKey}`);
      }
      Object.defineProperty(window, apiKey, { value: Object.freeze(api), enumerable: true });
    },
  } satisfies Partial<Electron.ContextBridge>;
}

/** The `electron` module in a page: the part that a preload may use, over the page's bridge. */
const { ipcRenderer, contextBridge } = createPage({
  window,
  connect: (secret) =>
    new WebSocket(
      `ws://${location.host}${BRIDGE_PATH}?page=${encodeURIComponent(location.pathname)}`,
      bridgeProtocols(secret),
    ),
  reach: (key) =>
    reachHost(key, {
      port: Number(location.port),
      post: (path, body) =>
        fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      keepPageSecret: (secret) => keepPageSecret(window, secret),
    }),
});

export { contextBridge, ipcRenderer };
