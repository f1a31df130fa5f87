import type * as Electron from 'electron';
import { type Encoded, encodeWith } from '../bridge/bridge.ts';

/** What a listener is given first. */
export interface RendererEvent {
  readonly sender: IpcRenderer;
  readonly ports: readonly [];
}

type Listener = (event: RendererEvent, ...args: unknown[]) => void;
type IpcRendererApi = Pick<Electron.IpcRenderer, 'send' | 'invoke' | 'sendSync'>;

interface Question {
  readonly channel: string;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Electron's `ipcRenderer`. */
export class IpcRenderer implements IpcRendererApi {
  readonly #listeners = new Map<string, readonly Listener[]>();
  readonly #asked = new Map<number, Question>();
  #lastId = 0;

  /** @param say takes a message to the host. */
  constructor(private readonly say: (message: Encoded) => void) {}

  /** @throws {Error} `An object could not be cloned.` */
  send(channel: string, ...args: unknown[]): void {
    this.say(encodeWith(['send', channel], args));
  }

  /** Rejects with Electron's words for what the handler threw, and for no handler. */
  async invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const message = encodeWith(['invoke', id, channel], args);
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { channel, resolve, reject });
      this.say(message);
    });
  }

  sendSync(): never {
    throw new Error('electron.ipcRenderer.sendSync is not available in the web host');
  }

  on(channel: string, listener: Listener): this {
    this.#listeners.set(channel, [...this.#heardOn(channel), listener]);
    return this;
  }

  once(channel: string, listener: Listener): this {
    const first: Listener = (event, ...args) => {
      this.off(channel, first);
      listener(event, ...args);
    };
    return this.on(channel, first);
  }

  off(channel: string, listener: Listener): this {
    const left = this.#heardOn(channel).filter((known) => known !== listener);
    this.#listeners.set(channel, left);
    return this;
  }

  removeListener(channel: string, listener: Listener): this {
    return this.off(channel, listener);
  }

  /** Main sent a message. What one listener throws keeps it from no other. */
  heard(channel: string, args: readonly unknown[]): void {
    for (const listener of this.#heardOn(channel)) {
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
    const question = this.#take(id);
    question?.reject(new Error(`Error invoking remote method '${question.channel}': ${why}`));
  }

  /** The host is gone, and with it the answers. */
  lost(): void {
    for (const id of this.#asked.keys()) this.refused(id, 'Error: reply was never sent');
  }

  #heardOn(channel: string): readonly Listener[] {
    return this.#listeners.get(channel) ?? [];
  }

  #take(id: number): Question | undefined {
    const question = this.#asked.get(id);
    this.#asked.delete(id);
    return question;
  }
}
