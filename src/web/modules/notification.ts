import type * as Electron from 'electron';
import { encode } from '../bridge/bridge.ts';
import { ElectronEmitter } from './electronEmitter.ts';
import type { Page } from './page.ts';

interface NotificationEvents {
  show: [];
  click: [];
  close: [];
}

type NotificationApi = Pick<Electron.Notification, 'show' | 'close'>;
/** The supported options of a notification. */
export type NotificationOptions = Pick<Electron.NotificationConstructorOptions, 'title' | 'body'>;

/** The notifications that pages show, by number. */
export class Notifications {
  readonly #shown = new Map<number, { notification: HostNotification; page: Page }>();
  #lastId = 0;

  /** @param frontmost returns the page that shows the next notification; without one it is dropped. */
  constructor(private readonly frontmost: () => Page | undefined) {}

  show(notification: HostNotification, { title = '', body = '' }: NotificationOptions): void {
    const page = this.frontmost();
    if (page === undefined) return;
    this.#lastId += 1;
    this.#shown.set(this.#lastId, { notification, page });
    page.send(encode(['notify', this.#lastId, title, body]));
  }

  close(notification: HostNotification): void {
    for (const [id, shown] of this.#shown) {
      if (shown.notification === notification) shown.page.send(encode(['dismiss', id]));
    }
  }

  /** Receives an event of a notification from a page. */
  receive(id: number, event: keyof NotificationEvents): void {
    const shown = this.#shown.get(id);
    if (event === 'close') this.#shown.delete(id);
    shown?.notification.emit(event);
  }

  /** A page has disconnected: forgets its notifications. */
  forget(page: Page): void {
    for (const [id, shown] of this.#shown) if (shown.page === page) this.#shown.delete(id);
  }
}

/** Electron's `Notification`: a notification of the browser (permission is requested at the first one), or a note in the page. */
export class HostNotification extends ElectronEmitter<NotificationEvents> implements NotificationApi {
  constructor(
    private readonly notifications: Notifications,
    private readonly options: NotificationOptions,
  ) {
    super('Notification');
  }

  show(): void {
    this.notifications.show(this, this.options);
  }

  close(): void {
    this.notifications.close(this);
  }
}
