import { join } from 'node:path';
import type { WebSocket } from 'ws';
import { CAPTURE_FORMAT, CAPTURE_VERSION } from '#shared/capture/format.ts';
import type { Clock } from '#shared/time/clock.ts';
import { version } from '../../../../package.json';
import { type CaptureFile, captureFile, createCapture } from './captureFile.ts';
import { type Untimed, relay } from './relay.ts';

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
