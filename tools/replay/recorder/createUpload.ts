import { gapLine } from '#shared/capture/captureFormat.ts';
import type { FetchFunction } from './recordedFetch.ts';

/** Sends lines to a server, in their order. */
export type Upload = ReturnType<typeof createUpload>;

interface UploadOptions {
  readonly url: string;
  readonly fetch: FetchFunction;
  /** Waits; does not keep a program running. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Lines are sent together that come within this time. */
const COLLECT_MS = 1000;
/** Browsers accept 64 KiB of requests that outlive the page. A character has up to 3 bytes. */
const PIECE_LENGTH = 20_000;
/** Lines that wait for a slow server are dropped above this many characters. */
const MAX_WAITING = 8_000_000;
const ATTEMPTS = 5;

/**
 * Creates an upload: `POST` requests with the number of the recording and of the piece in the query (`?recording=k3f9&piece=0`). A piece that the server does
 * not accept is sent again after 1, 2, 4 and 8 s, then dropped; a `gap` record replaces it.
 */
export function createUpload(options: UploadOptions) {
  const { pause } = options;
  const post = createPost(options);
  const waiting = createWaitingLines();
  let pieces = 0;
  let isScheduled = false;
  let sending: Promise<void> | undefined;
  const sendPiece = async (): Promise<void> => {
    const piece = waiting.takePiece();
    const number = pieces++;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await pause(1000 * 2 ** (attempt - 1));
      if (await post(number, piece.join(''))) return;
    }
    waiting.lose(piece.length);
  };
  const send = async (): Promise<void> => {
    while (!waiting.isEmpty()) await sendPiece();
  };
  const flush = (): Promise<void> => (sending ??= send().finally(() => void (sending = undefined)));
  const schedule = async (): Promise<void> => {
    if (isScheduled) return;
    isScheduled = true;
    await pause(COLLECT_MS);
    isScheduled = false;
    await flush();
  };
  return {
    take(line: string): void {
      waiting.add(line);
      void schedule();
    },
    /** Sends what waits. The promise is fulfilled when it has been sent, or given up. */
    flush,
    /** Sends what waits at once, without a retry: the page is about to close. */
    sendLast(): void {
      while (!waiting.isEmpty()) void post(pieces++, waiting.takePiece().join(''));
    },
  };
}

/** Creates a function that sends a piece once, and returns whether the server accepted it. */
function createPost({ url, fetch }: UploadOptions) {
  const recording = Math.random().toString(36).slice(2);
  const separator = url.includes('?') ? '&' : '?';
  return async (piece: number, body: string): Promise<boolean> => {
    const address = `${url}${separator}recording=${recording}&piece=${piece}`;
    // A simple request: it needs no preflight.
    const headers = { 'content-type': 'text/plain;charset=UTF-8' };
    const keepalive = body.length <= PIECE_LENGTH;
    try {
      return (await fetch(address, { method: 'POST', body, headers, keepalive })).ok;
    } catch {
      // No connection.
      return false;
    }
  };
}

/** Creates a list of lines of limited size; a line without a place is lost, and a `gap` is written when there is one again. */
function createWaitingLines() {
  const lines: string[] = [];
  let size = 0;
  let lost = 0;
  const put = (line: string): void => {
    lines.push(line);
    size += line.length;
  };
  return {
    isEmpty: () => lines.length === 0,
    add(line: string): void {
      if (size + line.length > MAX_WAITING) {
        lost++;
        return;
      }
      if (lost > 0) put(gapLine(timeOf(line), lost));
      lost = 0;
      put(line);
    },
    lose: (count: number): void => void (lost += count),
    takePiece(): readonly string[] {
      let length = 0;
      const past = lines.findIndex((line) => (length += line.length) > PIECE_LENGTH);
      const piece = lines.splice(0, past === -1 ? lines.length : Math.max(1, past));
      for (const line of piece) size -= line.length;
      return piece;
    },
  };
}

const timeOf = (line: string): number => Number(/^\{"t":([\d.]+)/.exec(line)?.[1] ?? 0);
