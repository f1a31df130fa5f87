import { ofSocket } from './recordContent.ts';
import { type ConnectionEvent, type Recording, recordFrame } from './recordedSocket.ts';

/** A WebSocket class: that of browsers, of Node, or of `ws`. */
export type WebSocketClass = new (...args: never[]) => { readonly readyState: number; readonly url: string };

/** The part of a socket that the recorder uses. */
interface Socket {
  readonly readyState: number;
  send(...args: readonly unknown[]): void;
  addEventListener(type: string, listener: (event: ConnectionEvent) => void): void;
}

type SocketClass = new (...args: readonly unknown[]) => Socket;

const OPEN = 1;

/**
 * Returns a class that behaves as the given one, and records its frames. Its listeners are the first of each socket, so a frame is recorded before the
 * app handles it.
 */
export function recordedWebSocket<Class extends WebSocketClass>(base: Class, recording: Recording): Class {
  const { journal, handling } = recording;
  // Each of the three classes has these members.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const Parent = base as unknown as SocketClass;
  class RecordedWebSocket extends Parent {
    readonly #number = recording.nextSocket();

    constructor(...args: readonly unknown[]) {
      super(...args);
      journal.quietly(() => observe(this, this.#number, recording));
    }

    override send(...args: readonly unknown[]): void {
      const isOpen = this.readyState === OPEN;
      super.send(...args);
      if (!isOpen) return;
      journal.quietly(() => recordFrame(recording, { type: 'send', data: args[0], socket: this.#number }));
    }
  }
  handling.mark(RecordedWebSocket.prototype);
  Object.defineProperty(RecordedWebSocket, 'name', { value: base.name });
  // It has the interface of the class that it extends.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return RecordedWebSocket as unknown as Class;
}

function observe(socket: Socket, number: number, recording: Recording): void {
  const { journal, mask, handling } = recording;
  const listen = (type: string, record: (event: ConnectionEvent) => void): void =>
    socket.addEventListener(type, (event) => {
      handling.begin(event);
      journal.quietly(() => record(event));
    });
  listen('open', () => journal.add({ type: 'open', ...ofSocket(number) }));
  listen('message', ({ data }) => recordFrame(recording, { type: 'recv', data, socket: number }));
  listen('close', ({ code = 1006, reason = '' }) =>
    journal.add({ type: 'close', code, reason: mask.reason(reason), ...ofSocket(number) }),
  );
}
