import { ofSocket } from './recordContent.ts';
import type { ConnectionEvent, Recording } from './recordedSocket.ts';

/** An `EventSource` class: that of browsers, or of a package for Node. */
export type EventSourceClass = new (...args: never[]) => { readonly readyState: number; close(): void };

type Listener = (event: ConnectionEvent) => void;

/** The part of an event source that the recorder uses. */
interface Source {
  readonly readyState: number;
  addEventListener(type: string, ...args: readonly unknown[]): void;
  close(): void;
}

type SourceClass = new (...args: readonly unknown[]) => Source;

const OPEN = 1;
const CLOSED = 2;

/**
 * Returns a class that behaves as the given one, and records its events: those named `message`, and each other one from when the app first listens to it. An
 * interruption is recorded as a close with the code 1006.
 */
export function recordedEventSource<Class extends EventSourceClass>(base: Class, recording: Recording) {
  const { journal, mask, handling } = recording;
  // Each such class has these members.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const Parent = base as unknown as SourceClass;
  class RecordedEventSource extends Parent {
    readonly #socket = ofSocket(recording.nextSocket());
    readonly #observed = new Set<string>();
    #isOpen = false;

    constructor(...args: readonly unknown[]) {
      super(...args);
      journal.quietly(() => this.#observeAll());
    }

    override addEventListener(type: string, ...args: readonly unknown[]): void {
      journal.quietly(() => this.#observeEvents(type));
      super.addEventListener(type, ...args);
    }

    override close(): void {
      if (this.readyState === OPEN) journal.quietly(() => this.#recordClose(1000));
      super.close();
    }

    #observeAll(): void {
      this.#observe('open', () => {
        this.#isOpen = true;
        journal.add({ type: 'open', ...this.#socket });
      });
      this.#observe('error', () => this.#recordClose(1006));
      this.#observeEvents('message');
    }

    /** Records an interruption once: after it, each failed attempt to connect is an error too. */
    #recordClose(code: number): void {
      if (!this.#isOpen && this.readyState !== CLOSED) return;
      this.#isOpen = false;
      journal.add({ type: 'close', code, reason: '', ...this.#socket });
    }

    #observeEvents(type: string): void {
      this.#observe(type, ({ data, lastEventId }) => {
        const event = { event: type, data: String(data), ...(lastEventId && { id: lastEventId }) };
        journal.add({ type: 'recv', data: mask.event(event), ...this.#socket });
      });
    }

    #observe(type: string, record: Listener): void {
      if (this.#observed.has(type)) return;
      this.#observed.add(type);
      super.addEventListener(type, (event: ConnectionEvent) => {
        handling.begin(event);
        journal.quietly(() => record(event));
      });
    }
  }
  handling.mark(RecordedEventSource.prototype);
  Object.defineProperty(RecordedEventSource, 'name', { value: base.name });
  // It has the interface of the class that it extends.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return RecordedEventSource as unknown as Class;
}
