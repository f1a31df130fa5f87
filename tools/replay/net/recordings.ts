import { type WriteStream, closeSync, createWriteStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { WebSocket } from 'ws';
import { fileErrorReason } from '#node/fileErrorReason.ts';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import {
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type KnownRecord,
  headerLine,
  recordLine,
} from '#shared/capture/captureFormat.ts';
import { type Clock, roundTime } from '#shared/clock.ts';
import { errorCode } from '#shared/formatText.ts';
import { version } from '../../../package.json';
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
  const open = new Set<Recording>();
  /** The sessions that can continue, by the path of their client without the query. */
  const sessions = new Map<string, Recording>();
  let connections = 0;

  function recordingFor(key: string, number: number): Recording {
    const session = sessions.get(key);
    if (session !== undefined && session.connection === undefined) {
      print(`connection ${number} continues ${session.path}`);
      return session;
    }
    const recording = new Recording(options, number);
    open.add(recording);
    if (session !== undefined)
      print(
        `connection ${number} overlaps connection ${session.connection} of the same client, so it has a capture of its own`,
      );
    else if (joins) sessions.set(key, recording);
    return recording;
  }

  return {
    begin({ client, platform, path }: Connection) {
      const number = ++connections;
      const key = path.replace(/\?.*$/s, '');
      const recording = recordingFor(key, number);
      recording.connection = number;
      relay(client, platform, (record) => {
        recording.add(record);
        if (record.type !== 'close') return;
        recording.connection = undefined;
        if (sessions.get(key) === recording) {
          if (!ENDS.has(record.reason)) return;
          sessions.delete(key);
        }
        void recording.end().then(() => open.delete(recording));
      });
    },
    /** Completes every capture, after all connections have closed. */
    stop: () => Promise.all([...open].map((recording) => recording.end())),
  };
}

/** The program in the headers: this one, because the app whose connections it records is not known. */
const APP = `parley-replay ${version}`;

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
  readonly #clock: Clock;
  readonly #openedAt: number;
  readonly #file: WriteStream;

  constructor({ folder, clock, today, print }: RecordingOptions, number: number) {
    const startedAt = new Date(today()).toISOString();
    this.#clock = clock;
    this.#openedAt = clock.now();
    this.path = createCapture(join(folder, `${startedAt.replaceAll(':', '-')}-${number}`));
    print(`connection ${number} is recorded in ${this.path}`);
    this.#file = createWriteStream(this.path, { flags: 'a', mode: 0o600 });
    this.#file.on('error', (error) => {
      const reason = `${this.path}: cannot be written: ${fileErrorReason(error)}`;
      print(`${reason}; the recording ends, and the connection continues`);
    });
    this.#file.write(headerLine({ format: CAPTURE_FORMAT, version: CAPTURE_VERSION, startedAt, app: APP }));
  }

  add(record: Untimed): void {
    const t = roundTime(this.#clock.now() - this.#openedAt);
    if (!this.#file.destroyed) this.#file.write(recordLine({ t, ...record }));
  }

  /** Writes the remaining records and closes the file. */
  async end(): Promise<void> {
    this.#file.end();
    // A failure has been reported.
    await finished(this.#file).catch(() => undefined);
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
function relay(client: WebSocket, platform: WebSocket, onRecord: (record: Untimed) => void): void {
  let isClosed = false;
  /** Frames of one side after the other has closed are dropped. */
  const record = (what: Untimed) => {
    if (!isClosed) onRecord(what);
  };
  const pass = (from: WebSocket, to: WebSocket, type: 'send' | 'recv') => {
    from.on('message', (data: Buffer, isBinary) => {
      record({ type, ...frameData(data, isBinary) });
      to.send(data, { binary: isBinary }, () => from.resume());
      if (to.bufferedAmount > BUFFERED_BYTES) from.pause();
    });
    from.on('ping', (data) => to.ping(data));
    from.on('pong', (data) => to.pong(data));
    // The close that follows reports the same.
    from.on('error', () => {});
    from.on('close', (code, reason) => {
      closeAs(to, code, reason.toString());
      record({ type: 'close', code, reason: reason.toString() });
      isClosed = true;
    });
  };
  record({ type: 'open' });
  pass(client, platform, 'send');
  pass(platform, client, 'recv');
  // As the app records it: the connection is confirmed (spec §3.2).
  platform.once('pong', () => record({ type: 'action', action: connectionConfirmed() }));
}
