import type { Journal } from './journal.ts';
import type { Mask } from './mask.ts';
import { type RecordContent, ofSocket } from './recordContent.ts';

/** What the wrappers share. */
export interface Recording {
  readonly journal: Journal;
  readonly mask: Mask;
  readonly handling: Handling;
  /** Returns the number of a new connection, from 1. */
  nextSocket(): number;
  /** Returns the number of a new request, from 1. */
  nextRequest(): number;
}

/** Knows whether the app is handling an event of a connection now. */
export type Handling = ReturnType<typeof createHandling>;

/** The part of an event that recorders need. `ws` has events without a phase. */
export interface ConnectionEvent {
  readonly eventPhase?: number;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly lastEventId?: string;
}

/** Functions by which programs dispatch events: those of `ws`, and those of `EventTarget` in Node. */
const DISPATCHING = ['emit', 'dispatchEvent'];

/** Creates a {@link Handling}. */
export function createHandling() {
  let current: ConnectionEvent | undefined;
  let depth = 0;
  const run = <Result>(task: () => Result): Result => {
    depth++;
    try {
      return task();
    } finally {
      depth--;
    }
  };
  return {
    isActive: (): boolean => depth > 0 || (current?.eventPhase ?? 0) !== 0,
    /** Marks an event that a browser dispatches: its phase is 0 before and after. */
    begin: (event: ConnectionEvent): void => void (current = event),
    /** Marks all events that a class dispatches itself. */
    mark(prototype: object): void {
      for (const name of DISPATCHING) {
        const dispatch: unknown = Reflect.get(prototype, name);
        if (typeof dispatch !== 'function') continue;
        const inherited = dispatch;
        function value(this: unknown, ...args: readonly unknown[]): unknown {
          return run(() => Reflect.apply(inherited, this, args));
        }
        Object.defineProperty(prototype, name, { configurable: true, writable: true, value });
      }
    },
    /** Runs a task that handles an event or an action. */
    run,
  };
}

interface Frame {
  readonly type: 'recv' | 'send';
  readonly data: unknown;
  readonly socket: number;
}

/** Records a frame: a text, bytes in base64, or a `Blob`, whose record keeps its place until it has been read. */
export function recordFrame({ journal, mask }: Recording, { type, data, socket }: Frame): void {
  const of = ofSocket(socket);
  const binary = (bytes: Uint8Array): RecordContent => ({
    type,
    data: mask.binary(bytes),
    encoding: 'base64',
    ...of,
  });
  if (typeof data === 'string') journal.add({ type, data: mask.frame(data), ...of });
  else if (data instanceof Blob) {
    const slot = journal.reserve();
    const failed = (): void => slot.complete({ type: 'gap', lost: 1 });
    data.arrayBuffer().then((buffer) => slot.complete(binary(new Uint8Array(buffer))), failed);
  } else {
    const bytes = bytesOf(data);
    journal.add(bytes === undefined ? { type: 'gap', lost: 1 } : binary(bytes));
  }
}

/** Returns the bytes of a buffer or of a view of one; `undefined` for anything else. */
export function bytesOf(data: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : undefined;
}
