import type * as Electron from 'electron';
import { encode, encodeWith } from '../bridge/bridge.ts';
import { ElectronEmitter, onlyWhatIs } from './electronEmitter.ts';
import type { Frame, WebContents } from './webContents.ts';

/** The event of Electron's IPC, as far as it is given here. */
export interface IpcEvent {
  readonly sender: WebContents;
  readonly senderFrame: Frame;
  readonly reply: (channel: string, ...args: unknown[]) => void;
}

type Handler = (event: IpcEvent, ...args: unknown[]) => unknown;
type IpcMainApi = Record<keyof Pick<Electron.IpcMain, 'handle' | 'removeHandler'>, unknown>;

const eventFrom = (sender: WebContents): IpcEvent =>
  onlyWhatIs('IpcMainEvent', {
    sender,
    senderFrame: sender.mainFrame,
    reply: (channel: string, ...args: unknown[]) => sender.send(channel, ...args),
  });

/** Electron's `ipcMain`: an emitter of what pages send, and the handlers of what they invoke. */
export class IpcMain
  extends ElectronEmitter<Record<string, [event: IpcEvent, ...args: unknown[]]>>
  implements IpcMainApi
{
  readonly #handlers = new Map<string, Handler>();

  constructor() {
    super('ipcMain');
  }

  /** @throws {Error} for a channel that has a handler. */
  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    }
    this.#handlers.set(channel, handler);
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  /** A page sent a message. */
  sent(sender: WebContents, channel: string, args: readonly unknown[]): void {
    // An emitter throws at an `error` that nobody hears; a page may not make it.
    if (this.listenerCount(channel) === 0) return;
    this.emit(channel, eventFrom(sender), ...args);
  }

  /** A page asked, and is answered in the same queue as all else. */
  async invoked(
    sender: WebContents,
    question: { id: number; channel: string; args: unknown[] },
  ): Promise<void> {
    const { page } = sender;
    try {
      const answer = await this.#answer(sender, question.channel, question.args);
      page?.send(encodeWith(['answer', question.id], answer));
    } catch (error) {
      page?.send(encode(['refusal', question.id, String(error)]));
    }
  }

  async #answer(sender: WebContents, channel: string, args: unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return handler(eventFrom(sender), ...args);
  }
}
