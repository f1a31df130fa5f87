/** A page with more unsent bytes than this does not read. */
export const PAGE_BUFFER_BYTES = 32 * 1024 * 1024;

interface Buffered {
  /** Bytes that were sent and have not left this process. */
  readonly bufferedAmount: number;
  send(frame: string): void;
  terminate(): void;
}

/**
 * Returns a function that sends frames to a page while it reads. The connection of a page that does not read is terminated,
 * so that it does not fill this process's memory; the page connects again later and fetches the state. A single frame may
 * have any size and does not count against later frames.
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
