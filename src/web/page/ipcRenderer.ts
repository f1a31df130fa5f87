import type * as Electron from 'electron';
import { type Encoded, encodeWith } from '../bridge/bridge.ts';

/** The first argument of a listener. */
interface RendererEvent {
  readonly sender: IpcRenderer;
  readonly ports: readonly [];
}

type Listener = (event: RendererEvent, ...args: unknown[]) => void;
type IpcRendererApi = Pick<Electron.IpcRenderer, 'send' | 'invoke' | 'sendSync'>;

interface PendingCall {
  readonly channel: string;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Electron's `ipcRenderer`. */
export class IpcRenderer implements IpcRendererApi {
  readonly #listeners = new Map<string, readonly Listener[]>();
  readonly #pendingCalls = new Map<number, PendingCall>();
  #lastId = 0;

  /** @param host the connection to the host. */
  constructor(private readonly host: { readonly send: (message: Encoded) => void }) {}

  /** @throws {Error} `An object could not be cloned.` */
  send(channel: string, ...args: unknown[]): void {
    this.host.send(encodeWith(['send', channel], args));
  }

  /** Rejects with Electron's message when the handler throws, and when there is none. */
  async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const message = encodeWith(['invoke', id, channel], args);
    return new Promise((resolve, reject) => {
      this.#pendingCalls.set(id, { channel, resolve, reject });
      this.host.send(message);
    });
  }

  sendSync(): never {
    throw new Error('electron.ipcRenderer.sendSync is not available in the web host');
  }

  on(channel: string, listener: Listener): this {
    this.#listeners.set(channel, [...this.#listenersOf(channel), listener]);
    return this;
  }

  removeListener(channel: string, listener: Listener): this {
    const left = this.#listenersOf(channel).filter((known) => known !== listener);
    this.#listeners.set(channel, left);
    return this;
  }

  /** Calls the listeners of a message from main. An error of one listener does not skip the others. */
  receive(channel: string, args: readonly unknown[]): void {
    for (const listener of this.#listenersOf(channel)) {
      try {
        listener({ sender: this, ports: [] }, ...args);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  answered(id: number, answer: unknown): void {
    this.#take(id)?.resolve(answer);
  }

  refused(id: number, why: string): void {
    const call = this.#take(id);
    call?.reject(new Error(`Error invoking remote method '${call.channel}': ${why}`));
  }

  /** Rejects all pending calls, because the connection to the host is lost. */
  lost(): void {
    for (const id of this.#pendingCalls.keys()) this.refused(id, 'Error: reply was never sent');
  }

  #listenersOf(channel: string): readonly Listener[] {
    return this.#listeners.get(channel) ?? [];
  }

  #take(id: number): PendingCall | undefined {
    const call = this.#pendingCalls.get(id);
    this.#pendingCalls.delete(id);
    return call;
  }
}
