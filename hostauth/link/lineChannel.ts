import type { Duplex } from 'node:stream';

/** Newline-delimited JSON over a stream. */
export interface LineChannel {
  /** Sends a value as one line. */
  send(value: unknown): void;
  /** Closes the stream at once. */
  destroy(): void;
}

/** The options of `createLineChannel`. */
interface LineChannelOptions {
  readonly stream: Duplex;
  /** The longest line to accept, in bytes without its line end. A longer one closes the stream. */
  readonly maxBytes: number;
  /** Receives each line as parsed JSON. A line that is not JSON closes the stream, and so does a listener that throws. */
  readonly onValue: (value: unknown) => void;
  /** Called once, when the stream has closed for any reason. */
  readonly onClose: (detail: string) => void;
}

const LINE_END = 0x0a;

/** Frames a stream as lines of JSON, in both directions. */
export function createLineChannel({ stream, maxBytes, onValue, onClose }: LineChannelOptions): LineChannel {
  let pieces: Buffer[] = [];
  let waiting = 0;
  let detail = 'the connection closed';

  const fail = (reason: string) => {
    detail = reason;
    stream.destroy();
  };

  function take(line: Buffer): void {
    try {
      onValue(JSON.parse(line.toString()));
    } catch (error) {
      // The message of a parser can quote the line, which can contain a password.
      fail(`a line is not valid (${error instanceof Error ? error.name : 'error'})`);
    }
  }

  stream.on('data', (data: Buffer) => {
    let start = 0;
    for (let end = data.indexOf(LINE_END); end !== -1; end = data.indexOf(LINE_END, start)) {
      if (waiting + end - start > maxBytes) return fail('a line is too long');
      take(Buffer.concat([...pieces, data.subarray(start, end)]));
      if (stream.destroyed) return;
      pieces = [];
      waiting = 0;
      start = end + 1;
    }
    if (start < data.length) pieces.push(data.subarray(start));
    waiting += data.length - start;
    if (waiting > maxBytes) fail('a line is too long');
  });
  stream.once('error', ({ message }) => {
    detail = message;
  });
  stream.once('end', () => stream.destroy());
  stream.once('close', () => onClose(detail));

  return {
    send: (value) => void stream.write(`${JSON.stringify(value)}\n`),
    destroy: () => void stream.destroy(),
  };
}
