import type * as Electron from 'electron';
import { encode, encodeForPage } from '../bridge/bridge.ts';
import { ElectronEmitter, throwOnMissing } from './electronEmitter.ts';
import type { Frame, WebContents } from './hostWindow.ts';

/** The supported part of Electron's IPC event. */
interface IpcEvent {
  readonly sender: WebContents;
  readonly senderFrame: Frame;
  readonly reply: (channel: string, ...args: unknown[]) => void;
}

type Handler = (event: IpcEvent, ...args: unknown[]) => unknown;
type IpcMainApi = Record<keyof Pick<Electron.IpcMain, 'handle' | 'removeHandler'>, unknown>;

const eventFrom = (sender: WebContents): IpcEvent =>
  throwOnMissing('IpcMainEvent', {
    sender,
    senderFrame: sender.mainFrame,
    reply: (channel: string, ...args: unknown[]) => sender.send(channel, ...args),
  });

/** Electron's `ipcMain`: emits the messages of pages and handles their requests. */
export class IpcMain
  extends ElectronEmitter<Record<string, [event: IpcEvent, ...args: unknown[]]>>
  implements IpcMainApi
{
  readonly #handlers = new Map<string, Handler>();

  constructor() {
    super('ipcMain');
  }

  /**
   * Registers the handler of a channel.
   * @throws {Error} when the channel has a handler.
   */
  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    }
    this.#handlers.set(channel, handler);
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  /** Emits a message of a page. */
  sent(sender: WebContents, channel: string, args: readonly unknown[]): void {
    // An emitter throws for an `error` event without listeners; a page must not cause that.
    if (this.listenerCount(channel) === 0) return;
    this.emit(channel, eventFrom(sender), ...args);
  }

  /** Handles a request of a page. The response uses the same queue as all messages. */
  async invoked(
    sender: WebContents,
    request: { id: number; channel: string; args: unknown[] },
  ): Promise<void> {
    const { page } = sender;
    try {
      const answer = await this.#answer(sender, request.channel, request.args);
      page?.send(encodeForPage(['answer', request.id], answer));
    } catch (error) {
      page?.send(encode(['refusal', request.id, String(error)]));
    }
  }

  async #answer(sender: WebContents, channel: string, args: unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return handler(eventFrom(sender), ...args);
  }
}
