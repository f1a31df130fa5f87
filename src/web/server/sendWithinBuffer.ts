/** A page that has more than this waiting does not read. In bytes. */
export const PAGE_BUFFER_BYTES = 32 * 1024 * 1024;

interface Buffered {
  /** Bytes that were sent and have not left this process. */
  readonly bufferedAmount: number;
  send(frame: string): void;
  terminate(): void;
}

/**
 * Sends frames to a page as long as it reads. A page that does not must not fill this process: its connection is cut, and
 * when it reads again, it connects again and fetches what it missed. A single frame of any size is sent, and does not
 * count against those after it.
 */
export function sendWithinBuffer(socket: Buffered): (frame: string) => void {
  let limit = PAGE_BUFFER_BYTES;
  return (frame) => {
    const waiting = socket.bufferedAmount;
    if (waiting === 0) limit = PAGE_BUFFER_BYTES;
    if (waiting > limit) return socket.terminate();
    limit = Math.max(limit, PAGE_BUFFER_BYTES + frame.length);
    return socket.send(frame);
  };
}
