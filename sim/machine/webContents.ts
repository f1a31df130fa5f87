import { EventEmitter } from 'node:events';
import { Party } from '../world/world.ts';
import type { IpcMain } from './ipcMain.ts';

/** A loaded page: what it exposes to the simulation. */
export interface LoadedPage {
  readonly party: Party;
  /** The objects that the page's program returns. */
  readonly exports: unknown;
}

/** The page's side of the messages, as the preload has it. */
export interface IpcRenderer extends EventEmitter {
  send(channel: string, ...args: unknown[]): void;
  invoke(channel: string, ...args: unknown[]): Promise<unknown>;
}

/** Loads a page: evaluates its preload and its program. */
export type OpenPage = (page: {
  readonly contents: WebContents;
  readonly party: Party;
  readonly ipcRenderer: IpcRenderer;
  readonly url: string;
}) => unknown;

interface Options {
  readonly party: Party;
  readonly ipcMain: IpcMain;
  readonly openPage: OpenPage;
}

/** The channels on which a message may be lost: the windows notice it and recover. */
export const SYNC_CHANNELS: ReadonlySet<string> = new Set(['electron-redux.ACTION']);

/** Electron's `WebContents`: a page that loads, reloads and ends. Messages are structured clones, and arrive in order. */
export class WebContents extends EventEmitter {
  readonly id: number;
  readonly mainFrame: { readonly origin: string; readonly url: string };
  readonly session = { on: () => undefined };
  page: LoadedPage | undefined;
  /** The storage of the page's session, which reloads keep. */
  readonly storage = new Map<string, string>();
  /** The probability that a message of the synchronization is lost. */
  loss = 0;
  #url = '';
  #loads = 0;
  #isDestroyed = false;
  #arrivals = { toPage: 0, toMain: 0 };
  #zoom = 0;

  constructor(private readonly options: Options) {
    super();
    this.id = options.party.world.nextId();
    this.setMaxListeners(0);
    this.mainFrame = { origin: 'parley://app', url: 'parley://app/' };
    options.party.onEnd(() => this.page?.party.kill());
  }

  getURL = () => this.#url;
  isDestroyed = () => this.#isDestroyed;
  getZoomLevel = () => this.#zoom;
  setZoomLevel = (level: number) => void (this.#zoom = level);
  setWindowOpenHandler = () => undefined;

  send(channel: string, ...args: unknown[]): void {
    if (this.#isDestroyed) throw new Error('Object has been destroyed');
    const message = clone(args);
    const { world, random } = this.options.party;
    if (SYNC_CHANNELS.has(channel) && random.chance(this.loss))
      return world.fault('message to a window lost');
    const { page } = this;
    if (page === undefined) return undefined;
    return this.#deliver('toPage', page.party, () => this.#renderer?.emit(channel, {}, ...message));
  }

  load(url: string): void {
    this.#url = url;
    this.reload();
  }

  reload(): void {
    if (this.#isDestroyed) return;
    this.page?.party.kill();
    this.page = undefined;
    const { party, openPage } = this.options;
    const load = ++this.#loads;
    party.schedule(party.random.between(1, 30), () => {
      if (load !== this.#loads || this.#isDestroyed) return;
      const own = new Party(party.world, `page ${this.id}.${load}`);
      const ipcRenderer = this.#createRenderer(own);
      this.#renderer = ipcRenderer;
      const opened: { -readonly [K in keyof LoadedPage]: LoadedPage[K] } = { party: own, exports: undefined };
      this.page = opened;
      own.attempt(() => {
        opened.exports = openPage({ contents: this, party: own, ipcRenderer, url: this.#url });
      });
      party.schedule(party.random.between(0.1, 5), () => {
        if (load === this.#loads && !this.#isDestroyed) this.emit('did-finish-load');
      });
    });
  }

  /** The page's process ends. */
  crash(): void {
    this.page?.party.kill();
    this.page = undefined;
    this.emit('render-process-gone', {}, { reason: 'crashed' });
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.page?.party.kill();
    this.page = undefined;
    this.emit('destroyed');
  }

  #renderer: IpcRenderer | undefined;

  #createRenderer(own: Party): IpcRenderer {
    const { ipcMain, party } = this.options;
    const event = { sender: this, senderFrame: this.mainFrame };
    const send = (channel: string, ...args: unknown[]) => {
      const message = clone(args);
      this.#deliver('toMain', party, () => ipcMain.emit(channel, event, ...message));
    };
    const invoke = (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const message = clone(args);
        const answer = (settle: () => void) => this.#deliver('toPage', own, settle);
        this.#deliver('toMain', party, () => {
          ipcMain.invoked(channel, event, message).then(
            (result) => answer(() => resolve(clone(result))),
            (error: unknown) =>
              answer(() => reject(new Error(`Error invoking '${channel}': ${String(error)}`))),
          );
        });
      });
    const renderer = new EventEmitter();
    renderer.setMaxListeners(0);
    return Object.assign(renderer, { send, invoke });
  }

  /** Delivers a message after a moment, in order. */
  #deliver(direction: 'toPage' | 'toMain', to: Party, task: () => void): void {
    const { world, random } = this.options.party;
    const at = Math.max(this.#arrivals[direction] + 0.001, world.now() + random.between(0.05, 4));
    this.#arrivals[direction] = at;
    to.schedule(at - world.now(), task);
  }
}

/** Returns the structured clone of a message. Plain data, which nearly every message is, is copied here: Node's function takes several times as long. */
function clone<T>(message: T): T;
function clone(message: unknown): unknown {
  if (Array.isArray(message)) return message.map((item: unknown) => clone(item));
  if (typeof message !== 'object' || message === null)
    return typeof message === 'function' || typeof message === 'symbol' ? structuredClone(message) : message;
  if (Object.getPrototypeOf(message) !== Object.prototype) return structuredClone(message);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(message)) copy[name] = clone<unknown>(Reflect.get(message, name));
  return copy;
}
