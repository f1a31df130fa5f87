import { join } from 'node:path';
import type { WebSocket } from 'ws';
import {
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type CaptureHeader,
  type KnownRecord,
  headerLine,
  inPieces,
  recordLine,
} from '#shared/capture/captureFormat.ts';
import { type Clock, every } from '#shared/clock.ts';
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

/**
 * A capture that is being recorded. Without `joins`, it ends with its connection.
 *
 *     connected ── close ──▶ waiting ── the client connects again ──▶ connected
 *         │                     │
 *         └─ sign-out, stop ─▶ ended ◀─ stop
 */
interface Recording {
  readonly file: CaptureFile;
  readonly name: string;
  readonly openedAt: number;
  /** The connection that it records now; `undefined` while it waits. */
  connection: number | undefined;
}

/** The reasons of closes after which the client signs in again, in another session (spec §3.2). */
const ENDS: ReadonlySet<string> = new Set(['logout', 'unauthorized']);

/** Manages the captures that are being recorded, numbered by their first connection from 1. */
export function createRecordings(options: RecordingOptions) {
  const { joins = false, clock, print } = options;
  const ending = new Set<Promise<void>>();
  /** The sessions that can continue, by the path of their client without the query. */
  const sessions = new Map<string, Recording>();
  let connections = 0;

  function recordingFor(key: string, number: number): Recording {
    const session = joins ? sessions.get(key) : undefined;
    if (session !== undefined && session.connection === undefined) {
      print(`connection ${number} continues ${session.name}`);
      return session;
    }
    const recording = beginCapture(options, number);
    if (session !== undefined) print(overlap(number, session.connection));
    else if (joins) sessions.set(key, recording);
    return recording;
  }

  function end({ file }: Recording): void {
    const ended = file.end();
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
        recording.file.add({ t: sinceOpening(clock, recording), ...record });
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

const overlap = (number: number, other: number | undefined): string =>
  `connection ${number} overlaps connection ${other} of the same client, so it has a capture of its own`;

function beginCapture({ folder, clock, today, print }: RecordingOptions, number: number): Recording {
  const startedAt = new Date(today()).toISOString();
  const name = createCapture(join(folder, `${startedAt.replaceAll(':', '-')}-${number}`));
  const header = { format: CAPTURE_FORMAT, version: CAPTURE_VERSION, startedAt, app: APP } as const;
  print(`connection ${number} is recorded in ${name}`);
  const onFailure = (reason: string) => print(`${reason}; the recording ends, and the connection continues`);
  const file = captureFile({ path: name, header, clock, onFailure });
  return { file, name, openedAt: clock.now(), connection: number };
}

const sinceOpening = (clock: Clock, { openedAt }: Recording): number =>
  Math.round((clock.now() - openedAt) * 1000) / 1000;

/** The maximum time in memory before a record is written: after a kill, the file ends at the last flush. */
const FLUSH_MS = 1000;

/** A capture that is being recorded. */
interface CaptureFile {
  /** Appends a record, which is written within a second. Does nothing after a failure. */
  add(record: KnownRecord): void;
  /** Writes the remaining records and closes the file. */
  end(): Promise<void>;
}

interface Options {
  readonly path: string;
  readonly header: CaptureHeader;
  readonly clock: Clock;
  /** Is called once when the file cannot be written, for example on a full disk. Then nothing more is recorded. */
  readonly onFailure: (reason: string) => void;
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

/** Begins a capture that only its owner can read. A failure ends the recording, never the session. */
function captureFile({ path, header, clock, onFailure }: Options): CaptureFile {
  let lines = [headerLine(header)];
  let hasFailed = false;
  let file: FileHandle | undefined;
  /** Writes are sequential, so that lines stay in order. */
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    if (lines.length === 0 || hasFailed) return;
    const pieces = inPieces(lines);
    lines = [];
    try {
      file ??= await open(path, 'a', 0o600);
      for (const piece of pieces) await file.appendFile(piece);
    } catch (error) {
      hasFailed = true;
      lines = [];
      onFailure(`${path}: cannot be written: ${fileErrorReason(error)}`);
    }
  };
  const flush = () => (writing = writing.then(write));
  const cancel = every(clock, FLUSH_MS, () => void flush());
  void flush();

  return {
    add(record) {
      if (!hasFailed) lines.push(recordLine(record));
    },
    async end() {
      cancel();
      await flush();
      await file?.close();
    },
  };
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
