import { join } from 'node:path';
import type { WebSocket } from 'ws';
import {
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type KnownRecord,
  headerLine,
  inPieces,
  recordLine,
} from '#shared/capture/captureFormat.ts';
import { type Cancel, type Clock, every, roundTime } from '#shared/clock.ts';
import { version } from '../../../package.json';
import { closeSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileErrorReason } from '#node/fileErrorReason.ts';
import { errorCode } from '#shared/formatText.ts';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import { closeAs, frameData } from './sockets.ts';

/** How connections are recorded. */
export interface RecordingOptions {
  /** The folder for the captures; it must exist. */
  readonly folder: string;
  /** Whether the connections of one client, one after the other, are one capture. */
  readonly joins?: boolean | undefined;
  readonly clock: Clock;
  /** The time of day, milliseconds since the epoch. */
  readonly today: () => number;
  /** Reports events, one line each; never an account. */
  readonly print: (line: string) => void;
}

/** A connection of a client through the recorder. */
interface Connection {
  readonly client: WebSocket;
  readonly platform: WebSocket;
  /** The path of the request, which contains the account. It identifies the client, and is never written or printed. */
  readonly path: string;
}

/** The reasons of closes after which the client signs in again, in another session (spec §3.2). */
const ENDS: ReadonlySet<string> = new Set(['logout', 'unauthorized']);

/** Manages the captures that are being recorded, numbered by their first connection from 1. */
export function createRecordings(options: RecordingOptions) {
  const { joins = false, print } = options;
  const ending = new Set<Promise<void>>();
  /** The sessions that can continue, by the path of their client without the query. */
  const sessions = new Map<string, Recording>();
  let connections = 0;

  function recordingFor(key: string, number: number): Recording {
    const session = joins ? sessions.get(key) : undefined;
    if (session !== undefined && session.connection === undefined) {
      print(`connection ${number} continues ${session.path}`);
      return session;
    }
    const recording = new Recording(options, number);
    if (session === undefined && joins) sessions.set(key, recording);
    if (session !== undefined)
      print(
        `connection ${number} overlaps connection ${session.connection} of the same client, so it has a capture of its own`,
      );
    return recording;
  }

  function end(recording: Recording): void {
    const ended = recording.end();
    ending.add(ended);
    void ended.then(() => ending.delete(ended));
  }

  return {
    begin({ client, platform, path }: Connection) {
      const number = ++connections;
      const key = path.replace(/\?.*$/s, '');
      const recording = recordingFor(key, number);
      recording.connection = number;
      let isOver = false;
      const onRecord = (record: Untimed) => {
        recording.add(record);
        if (record.type !== 'close') return;
        recording.connection = undefined;
        isOver = sessions.get(key) !== recording || ENDS.has(record.reason);
        if (isOver && sessions.get(key) === recording) sessions.delete(key);
      };
      // After the relay's own listener, whose last record is the close.
      relay({ client, platform, onRecord });
      client.once('close', () => isOver && end(recording));
    },
    /** Completes every capture, after all connections have closed. */
    async stop() {
      for (const recording of sessions.values()) end(recording);
      await Promise.all(ending);
    },
  };
}

/** The program in the headers: this one, because the app whose connections it records is not known. */
const APP = `parley-replay ${version}`;

/** The maximum time in memory before a record is written: after a kill, the file ends at the last flush. */
const FLUSH_MS = 1000;

/**
 * A capture that is being recorded, which only its owner can read. A failure to write it, for example on a full disk, is reported once and ends the
 * recording, never the connection. Without `joins`, it ends with its connection.
 *
 *     connected ── close ──▶ waiting ── the client connects again ──▶ connected
 *         │                     │
 *         └─ sign-out, stop ─▶ ended ◀─ stop
 */
class Recording {
  readonly path: string;
  /** The connection that it records now; `undefined` while it waits. */
  connection: number | undefined;
  readonly #options: RecordingOptions;
  readonly #openedAt: number;
  readonly #stopFlushing: Cancel;
  #lines: string[];
  #hasFailed = false;
  #file: FileHandle | undefined;
  /** Writes are sequential, so that lines stay in order. */
  #writing: Promise<void>;

  constructor(options: RecordingOptions, number: number) {
    const { folder, clock, today, print } = options;
    const startedAt = new Date(today()).toISOString();
    this.#options = options;
    this.#openedAt = clock.now();
    this.#lines = [headerLine({ format: CAPTURE_FORMAT, version: CAPTURE_VERSION, startedAt, app: APP })];
    this.path = createCapture(join(folder, `${startedAt.replaceAll(':', '-')}-${number}`));
    print(`connection ${number} is recorded in ${this.path}`);
    this.#stopFlushing = every(clock, FLUSH_MS, () => void this.#flush());
    this.#writing = this.#write();
  }

  add(record: Untimed): void {
    const t = roundTime(this.#options.clock.now() - this.#openedAt);
    if (!this.#hasFailed) this.#lines.push(recordLine({ t, ...record }));
  }

  /** Writes the remaining records and closes the file. */
  async end(): Promise<void> {
    this.#stopFlushing();
    await this.#flush();
    await this.#file?.close();
  }

  #flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (this.#lines.length === 0 || this.#hasFailed) return;
    const pieces = inPieces(this.#lines);
    this.#lines = [];
    try {
      this.#file ??= await open(this.path, 'a', 0o600);
      for (const piece of pieces) await this.#file.appendFile(piece);
    } catch (error) {
      this.#hasFailed = true;
      this.#lines = [];
      const reason = `${this.path}: cannot be written: ${fileErrorReason(error)}`;
      this.#options.print(`${reason}; the recording ends, and the connection continues`);
    }
  }
}

/**
 * Creates the empty file of a new capture, and returns its path. When the name exists, because another recorder started at the same time, a
 * number is added. When the file cannot be created, its writer reports why.
 * @param name the path without the ending.
 */
function createCapture(name: string): string {
  for (let number = 1; ; number++) {
    const path = `${name}${number === 1 ? '' : `-${number}`}.parley.jsonl`;
    try {
      closeSync(openSync(path, 'wx', 0o600));
      return path;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return path;
    }
  }
}

interface Relay {
  readonly client: WebSocket;
  readonly platform: WebSocket;
  /** Is called for each relayed event, without its time. */
  readonly onRecord: (record: Untimed) => void;
}

type WithoutTime<R> = R extends KnownRecord ? Omit<R, 't'> : never;
/** A record without its time. */
type Untimed = WithoutTime<KnownRecord>;

/** While more than this is buffered for one side, the other side is not read. */
const BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Passes frames, pings, pongs and closes between two open sockets, unchanged and in both directions:
 *
 *     open ── either side closes or breaks ──▶ closed: the other side is closed in the same way
 */
function relay({ client, platform, onRecord }: Relay): void {
  let isClosed = false;
  /** Frames of one side after the other has closed are dropped. */
  const record = (what: Untimed) => {
    if (!isClosed) onRecord(what);
  };
  const closed = (other: WebSocket) => (code: number, reason: Buffer) => {
    closeAs(other, code, reason.toString());
    record({ type: 'close', code, reason: reason.toString() });
    isClosed = true;
  };
  record({ type: 'open' });
  for (const [from, to, type] of [
    [client, platform, 'send'],
    [platform, client, 'recv'],
  ] as const) {
    from.on('message', (data: Buffer, isBinary) => {
      record({ type, ...frameData(data, isBinary) });
      to.send(data, { binary: isBinary }, () => from.resume());
      if (to.bufferedAmount > BUFFERED_BYTES) from.pause();
    });
    from.on('ping', (data) => to.ping(data));
    from.on('pong', (data) => to.pong(data));
    // The close that follows reports the same.
    from.on('error', () => {});
    from.on('close', closed(to));
  }
  // As the app records it: the connection is confirmed (spec §3.2).
  platform.once('pong', () => record({ type: 'action', action: connectionConfirmed() }));
}
