import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { ipcMain, pages } from './electron.ts';

/** What becomes of one message from main to a page. */
export type Fate = 'delivered' | 'lost' | 'twice';

export interface PageOptions {
  /** The address that it shows; at first our own. */
  readonly url?: string;
  /** Whether it stands in a window of ours. */
  readonly isOurs?: boolean;
  /** Decides on each message from main; answers to `invoke` always come. */
  readonly fate?: () => Fate;
}

/** A page, as both sides see it. */
export interface Page {
  readonly isOurs: boolean;
  /** Main's side. */
  readonly webContents: { send(channel: string, ...args: unknown[]): void; getURL(): string };
  /** The page's side. */
  readonly ipcRenderer: {
    send(channel: string, ...args: unknown[]): void;
    invoke(channel: string, ...args: unknown[]): Promise<unknown>;
    on(channel: string, listener: (...args: unknown[]) => void): object;
    removeListener(channel: string, listener: (...args: unknown[]) => void): object;
  };
  /** All that main sent, whatever became of it. */
  readonly sent: readonly (readonly [channel: string, ...args: unknown[]])[];
  /** Decides anew what becomes of messages. */
  setFate(fate: () => Fate): void;
  /** While held, answers to `invoke` stay on their way and what main sends later overtakes them. */
  holdAnswers(held: boolean): void;
  /**
   * Brings what is on its way to its end, in order, and also what that brings about: everything, or so many steps, in
   * each of which one message arrives on either side.
   */
  deliver(steps?: number): Promise<void>;
  close(): void;
}

const OUR_URL = 'parley://app/index.html';

/** Opens a page. Nothing arrives on either side before `deliver`, and each side's messages keep their order. */
export function openPage({ url = OUR_URL, isOurs = true, fate = () => 'delivered' }: PageOptions = {}): Page {
  const listeners = new EventEmitter();
  const toMain: (() => Promise<void>)[] = [];
  const toPage: (() => void)[] = [];
  const answers: (() => void)[] = [];
  const sent: [string, ...unknown[]][] = [];
  const frame = { url, origin: /^[^:]+:\/\/[^/]*/.exec(url)?.[0] ?? '' };
  let fateOf = fate;
  let isHeld = false;

  const page: Page = {
    isOurs,
    webContents: {
      getURL: () => url,
      send(channel, ...args) {
        const message = structuredClone(args);
        sent.push([channel, ...message]);
        const times = { delivered: 1, lost: 0, twice: 2 }[fateOf()];
        for (let time = 0; time < times; time++)
          toPage.push(
            () => void listeners.emit(channel, { sender: page.ipcRenderer }, ...structuredClone(message)),
          );
      },
    },
    ipcRenderer: {
      send(channel, ...args) {
        const message = structuredClone(args);
        toMain.push(async () => void ipcMain.emit(channel, event, ...message));
      },
      invoke(channel, ...args) {
        const message = structuredClone(args);
        return new Promise((resolve, reject) => {
          toMain.push(async () => {
            const answer = await answered(channel, message);
            const arrive = () => ('refusal' in answer ? reject(answer.refusal) : resolve(answer.value));
            (isHeld ? answers : toPage).push(arrive);
          });
        });
      },
      on(channel, listener) {
        listeners.on(channel, listener);
        return page.ipcRenderer;
      },
      removeListener(channel, listener) {
        listeners.removeListener(channel, listener);
        return page.ipcRenderer;
      },
    },
    sent,
    setFate(next) {
      fateOf = next;
    },
    holdAnswers(held) {
      isHeld = held;
      if (!held) toPage.push(...answers.splice(0));
    },
    async deliver(steps = Number.POSITIVE_INFINITY) {
      for (let step = 0; step < steps && toMain.length + toPage.length > 0; step++) {
        await toMain.shift()?.();
        toPage.shift()?.();
        // What hears an answer continues in a later turn.
        await setImmediate();
      }
    },
    close: () => void pages.delete(page),
  };
  // Main compares these by identity.
  const sender = Object.assign(page.webContents, { mainFrame: frame });
  const event = { sender, senderFrame: frame };
  const answered = async (channel: string, args: readonly unknown[]) => {
    try {
      return { value: structuredClone(await ipcMain.invoked(channel, event, args)) };
    } catch (error) {
      return { refusal: new Error(`Error invoking remote method '${channel}': ${String(error)}`) };
    }
  };
  pages.add(page);
  return page;
}
