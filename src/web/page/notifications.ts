import { createNote } from './note.ts';

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
