interface Content {
  readonly title: string;
  readonly body: string;
}

/** The parts of the page that `PageNotifications` uses. */
interface NotificationDeps {
  /** The place for notes. */
  readonly overlay: { addNote(note: HTMLElement): void };
  /** Reports an event of a notification, by its number. */
  readonly onEvent: (id: number, event: 'show' | 'click' | 'close') => void;
}

/**
 * Shows main's notifications: with the browser when the person allows it, else as a note in the page. Permission is
 * requested at the first notification, which does not wait for the answer.
 */
export class PageNotifications {
  /** The functions that close the shown notifications, by number. */
  readonly #closeFunctions = new Map<number, () => void>();

  constructor(
    private readonly window: Window & typeof globalThis,
    private readonly deps: NotificationDeps,
  ) {}

  show(id: number, content: Content): void {
    const permission = 'Notification' in this.window ? this.window.Notification.permission : 'denied';
    this.#closeFunctions.set(
      id,
      permission === 'granted' ? this.#inBrowser(id, content) : this.#inPage(id, content),
    );
    if (permission === 'default') void this.window.Notification.requestPermission();
  }

  close(id: number): void {
    this.#closeFunctions.get(id)?.();
  }

  #inBrowser(id: number, { title, body }: Content): () => void {
    const notification = new this.window.Notification(title, { body });
    notification.addEventListener('show', () => this.deps.onEvent(id, 'show'));
    notification.addEventListener('click', () => {
      this.window.focus();
      this.deps.onEvent(id, 'click');
    });
    notification.addEventListener('close', () => this.#closed(id));
    return () => notification.close();
  }

  #inPage(id: number, content: Content): () => void {
    const { element, remove } = createNote(this.window, content, {
      clicked: () => this.deps.onEvent(id, 'click'),
      removed: () => this.#closed(id),
    });
    this.deps.overlay.addNote(element);
    this.deps.onEvent(id, 'show');
    return remove;
  }

  #closed(id: number): void {
    this.#closeFunctions.delete(id);
    this.deps.onEvent(id, 'close');
  }
}

/** How long a note is shown, in milliseconds. It stays while it is hovered or focused. */
const SHOWN_MS = 10_000;

interface NoteEvents {
  readonly clicked: () => void;
  readonly removed: () => void;
}

/** Creates a notification in the page: a button with its text, and a button that dismisses it. */
function createNote(
  window: Window,
  { title, body }: { readonly title: string; readonly body: string },
  { clicked, removed }: NoteEvents,
) {
  const { document } = window;
  const element = document.createElement('div');
  const remove = () => {
    if (!element.isConnected) return;
    element.remove();
    removed();
  };
  const textButton = document.createElement('button');
  const heading = document.createElement('strong');
  const text = document.createElement('span');
  heading.textContent = title;
  text.textContent = body;
  for (const part of [heading, text]) part.dir = 'auto';
  textButton.append(heading, text);
  textButton.addEventListener('click', () => {
    clicked();
    remove();
  });
  const dismissButton = document.createElement('button');
  dismissButton.setAttribute('aria-label', 'Dismiss notification');
  dismissButton.textContent = '×';
  dismissButton.addEventListener('click', remove);
  element.append(textButton, dismissButton);
  const expire = () => {
    if (element.matches(':hover, :focus-within')) window.setTimeout(expire, SHOWN_MS);
    else remove();
  };
  window.setTimeout(expire, SHOWN_MS);
  return { element, remove };
}

interface Tab {
  readonly window: Window & typeof globalThis;
  /** The place for notes. */
  readonly overlay: { addNote(note: HTMLElement): void };
  readonly path: string;
  /** The name by which the tab is found again. */
  readonly name: string;
}

/** Opens a tab, or brings the tab with that name to the front. When the browser forbids it, a note requests a click. */
export function openTab(wanted: Tab): void {
  if (tryToOpen(wanted)) return;
  const { window, overlay } = wanted;
  const { element } = createNote(
    window,
    { title: 'Parley has a window to show.', body: 'Open it' },
    { clicked: () => void tryToOpen(wanted), removed: () => {} },
  );
  overlay.addNote(element);
}

function tryToOpen({ window, path, name }: Tab): boolean {
  // Without an address an existing tab is unchanged, and a new tab is blank.
  const tab = window.open('', name);
  if (tab === null) return false;
  if (tab.location.pathname !== path) tab.location.replace(new URL(path, window.location.origin));
  tab.focus();
  return true;
}
