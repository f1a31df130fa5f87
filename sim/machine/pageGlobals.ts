import type { Party } from '../world/world.ts';
import { timeGlobals, type WallClock } from '../world/partyGlobals.ts';

/** Bytes with a type, as a page has them. */
export class PageBlob {
  readonly size: number;
  readonly type: string;
  readonly #bytes: Uint8Array;
  constructor(parts: readonly (PageBlob | Uint8Array | ArrayBuffer | string)[], { type = '' } = {}) {
    this.#bytes = Buffer.concat(
      parts.map((part) => (part instanceof PageBlob ? part.#bytes : bytesOf(part))),
    );
    this.size = this.#bytes.length;
    this.type = type;
  }
  arrayBuffer = async (): Promise<ArrayBuffer> => new Uint8Array(this.#bytes).buffer;
}

const bytesOf = (part: Uint8Array | ArrayBuffer | string): Uint8Array =>
  typeof part === 'string' ? Buffer.from(part) : new Uint8Array(part);

/** A file that a person offers. */
export class PageFile extends PageBlob {
  constructor(
    parts: readonly (Uint8Array | string)[],
    readonly name: string,
    options: { readonly type?: string },
  ) {
    super(parts, options);
  }
}

/** The part of an event target that devices have. */
class Device {
  readonly #listeners = new Map<string, Set<(event: object) => void>>();
  addEventListener(event: string, listener: (event: object) => void): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
  }
  removeEventListener = (event: string, listener: (event: object) => void): void =>
    void this.#listeners.get(event)?.delete(listener);
  fire(event: string, about: object = {}): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(about);
  }
}

/** The first bytes of a recording. */
const WEBM = Buffer.from('1a45dfa3'.padEnd(80, '0'), 'hex');

/** The devices of a person: a microphone that may be missing, denied or lost, and a loudspeaker. */
function devices(party: Party, storage: Map<string, string>) {
  const { random } = party;
  class MediaRecorder extends Device {
    state = 'inactive';
    start(ms: number): void {
      this.state = 'recording';
      const chunk = () => {
        if (this.state !== 'recording') return;
        this.fire('dataavailable', { data: new PageBlob([WEBM]) });
        party.schedule(ms, chunk);
      };
      party.schedule(ms, chunk);
    }
    stop(): void {
      this.state = 'inactive';
      party.schedule(1, () => this.fire('stop'));
    }
  }
  const getUserMedia = () =>
    new Promise((resolve, reject) => {
      party.schedule(random.between(5, 200), () => {
        if (random.chance(0.1))
          return reject(
            new DOMException('', random.pick(['NotAllowedError', 'NotFoundError', 'NotReadableError'])),
          );
        const track = Object.assign(new Device(), { stop: () => undefined });
        if (random.chance(0.1)) party.schedule(random.between(100, 20_000), () => track.fire('ended'));
        return resolve({ getTracks: () => [track] });
      });
    });
  class Audio extends Device {
    duration = Infinity;
    currentTime = 0;
    error = null;
    #source = '';
    set src(source: string) {
      this.#source = source;
      party.schedule(random.between(1, 30), () => {
        this.duration = 1 + random.below(3);
        this.fire(random.chance(0.05) ? 'error' : 'loadedmetadata');
      });
    }
    async play(): Promise<void> {
      party.schedule(1000 * this.duration, () => this.#source === '' || this.fire('ended'));
    }
    pause = (): void => undefined;
    removeAttribute = (): void => void (this.#source = '');
  }
  const sessionStorage = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  };
  return {
    MediaRecorder,
    Audio,
    sessionStorage,
    navigator: { mediaDevices: { getUserMedia }, userAgent: '' },
  };
}

interface PageOptions {
  readonly party: Party;
  readonly wall: WallClock;
  readonly storage: Map<string, string>;
  readonly pathname: string;
  readonly reload: () => void;
  /** Answers a request of the page. */
  readonly fetch: (path: string) => Promise<unknown>;
}

/** Creates the globals of a page without a DOM. */
export function pageGlobals({ party, wall, storage, pathname, reload, fetch }: PageOptions) {
  const time = timeGlobals(party, wall);
  const { sessionStorage, ...device } = devices(party, storage);
  const location = { pathname, reload, origin: 'parley://app' };
  const document = {
    documentElement: { dataset: {} },
    querySelector: () => null,
    querySelectorAll: () => [],
  };
  class PageUrl extends URL {
    static override createObjectURL = () => 'blob:sound';
    static override revokeObjectURL = () => undefined;
  }
  const window: Record<string, unknown> = { ...time, sessionStorage, location, document };
  const quiet = { warn: () => undefined, log: () => undefined, error: () => undefined };
  const rest = { window, document, location, fetch, Blob: PageBlob, URL: PageUrl, console: quiet };
  return { ...time, ...device, ...rest };
}
