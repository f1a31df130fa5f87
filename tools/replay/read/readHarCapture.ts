import { basename } from 'node:path';
import { connectionConfirmed } from '#shared/actions/sessionActions.ts';
import {
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type CaptureHeader,
  type CloseRecord,
  type KnownRecord,
} from '#shared/capture/captureFormat.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import { pluralize } from '#shared/formatText.ts';
import { CaptureError, type CaptureReader } from './captureDecoder.ts';
import { type HarMessage, type HarSocket, readHar } from './readHar.ts';
import { STDIN, captureName } from './stdin.ts';

interface HarOptions {
  /** The number of a WebSocket, from 1. */
  readonly socket?: number | undefined;
  /** Whether the WebSockets of one address become one session. */
  readonly join?: boolean | undefined;
  /** The HAR's content, when it has already been read. */
  readonly bytes?: Buffer;
}

/** The creator in a HAR that Parley wrote. */
export const HAR_CREATOR = 'Parley';

/** Returns whether a path names a HAR, plain, gzipped or in a zip. */
export const isHar = (path: string): boolean => /\.(?:har|har\.gz|zip)$/i.test(path);

/**
 * Reads a WebSocket of a HAR as a capture: its only one, or number `socket`. With `join`, the sockets of one address are one session with
 * reconnects, and so are those of a HAR that Parley exported.
 * @throws {CaptureError} when there are several and `socket` is missing, when they cannot be joined, or when the HAR cannot be used.
 */
export async function readHarCapture(
  given: string,
  { socket: number, join = false, bytes }: HarOptions = {},
): Promise<CaptureReader> {
  const { path, files, creator, sockets, ...own } = await readHar(given, bytes);
  const { name, version } = creator;
  const isOurs = name === HAR_CREATOR && number === undefined && files === 1;
  const chosen = isOurs
    ? sockets.map((socket) => socketRecords(socket)).toSorted((a, b) => a.startedAt - b.startedAt)
    : chosenSockets({ path, sockets, number, join });
  const startedAt = (isOurs ? own.startedAt : undefined) ?? chosen[0]?.startedAt ?? 0;
  const launch = isOurs ? own.launch : undefined;
  // A late release comes before what was received at its time.
  const session = [...(isOurs ? own.releases : []), ...sessionRecords(chosen, startedAt, launch)].sort(
    (a, b) => a.t - b.t,
  );
  const header: CaptureHeader = {
    format: CAPTURE_FORMAT,
    version: CAPTURE_VERSION,
    startedAt: new Date(startedAt).toISOString(),
    app: name === HAR_CREATOR ? version : `${name} ${version}`.trim(),
  };
  return {
    header,
    async *records() {
      yield session;
    },
    warnings: warningsOf(path, chosen),
  };
}

/** Returns the records of sockets that follow each other, with times since `startedAt`. */
function sessionRecords(
  sockets: readonly SocketRecords[],
  startedAt: number,
  launch: number | undefined,
): KnownRecord[] {
  const session: KnownRecord[] = launch === undefined ? [] : [{ t: launch, type: 'launch' }];
  let previous = launch ?? 0;
  for (const { startedAt: begin, records } of sockets) {
    for (const record of records) {
      previous = Math.max(previous, toMicroseconds(begin - startedAt + record.t));
      session.push({ ...record, t: previous });
    }
  }
  return session;
}

function warningsOf(path: string, sockets: readonly SocketRecords[]): string[] {
  const unknown = sockets.reduce((sum, { unknownTimes }) => sum + unknownTimes, 0);
  const unsorted = sockets.reduce((sum, socket) => sum + socket.unsorted, 0);
  const warnings: string[] = [];
  if (unknown > 0)
    warnings.push(
      `${path}: ${unknown} ${unknown === 1 ? 'message has' : 'messages have'} no time; the order is kept, the times are not the recorded ones`,
    );
  if (unsorted > 0)
    warnings.push(
      `${path}: ${pluralize(unsorted, 'message')} ${unsorted === 1 ? 'is' : 'are'} earlier than the one before; the messages are sorted by time`,
    );
  return warnings;
}

interface Choice {
  readonly path: string;
  readonly sockets: readonly HarSocket[];
  readonly number: number | undefined;
  readonly join: boolean;
}

function chosenSockets(choice: Choice): readonly SocketRecords[] {
  const { path, sockets, number, join } = choice;
  const chosen = chosenSocket(choice);
  if (!join) return [socketRecords(chosen)];
  const joined = sockets.filter((socket) => addressOf(socket) === addressOf(chosen));
  if (number === undefined && joined.length < sockets.length)
    throw new CaptureError(
      `${path}: contains WebSockets of several addresses (${listOf(sockets)}); select one of the client with --socket <n>`,
    );
  return joinSockets(path, joined);
}

function chosenSocket({ path, sockets, number, join }: Choice): HarSocket {
  const socket = sockets[(number ?? 1) - 1];
  if (socket !== undefined && (number !== undefined || join || sockets.length === 1)) return socket;
  const list = listOf(sockets);
  const given = path === captureName(STDIN) ? STDIN : path;
  throw new CaptureError(
    number === undefined
      ? `${path}: contains ${sockets.length} WebSockets (${list}); select one with \`import ${given} --socket <n>\`, or join those of one client with --join`
      : `${path}: has no WebSocket ${number} (${list})`,
  );
}

const listOf = (sockets: readonly HarSocket[]): string =>
  sockets
    .map(({ number, url, messages, file }) => {
      const place = file === undefined ? '' : `, in ${basename(file)}`;
      return `${number}: ${shortAddress(url)}, ${pluralize(messages.length, 'message')}${place}`;
    })
    .join('; ');

/** Returns the address of a socket without its query, which may differ for each connection. It contains the account: only compare it. */
function addressOf({ url }: HarSocket): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const SHOWN = 3;

/** Returns an address with the beginning of its last segment, which is the account identifier (spec §4.2), a credential. */
function shortAddress(url: string): string {
  if (!URL.canParse(url)) return 'an invalid address';
  const { host, pathname } = new URL(url);
  const cut = pathname.lastIndexOf('/') + 1;
  const account = pathname.slice(cut);
  const shown = account.length > SHOWN * 2 ? account.slice(0, SHOWN) : '';
  return `${host}${pathname.slice(0, cut)}${account === '' ? '' : `${shown}…`}`;
}

/** The opcodes that are converted (RFC 6455 §5.2); pings and all others are omitted. */
export const OPCODE = { text: 1, binary: 2, close: 8, pong: 10 } as const;

/** The codes of a close without a close frame, and of one with an empty frame (RFC 6455 §7.4.1). */
export const NO_FRAME = 1006;
export const NO_CODE = 1005;

/** The records of one socket of a HAR. */
interface SocketRecords {
  /** The number of the socket. */
  readonly number: number;
  /** The beginning of the socket, milliseconds since the epoch. */
  readonly startedAt: number;
  /** The end of the HAR's entry, milliseconds since `startedAt`, if known. */
  readonly endsAt: number | undefined;
  /** First `open`, then the others in the order of time; `t` counts from `startedAt`. */
  readonly records: readonly KnownRecord[];
  /** Whether the HAR contains the time of a message. */
  readonly hasTimes: boolean;
  /** The number of messages without a time in the HAR. */
  readonly unknownTimes: number;
  /** The number of messages that were not in the order of their times. */
  readonly unsorted: number;
}

/**
 * Converts a socket to records. It opens at 0, and closes if the HAR contains a close. Messages are sorted by time.
 * @param confirms whether the first pong confirms the connection, as the app records it.
 */
function socketRecords(socket: HarSocket, confirms = false): SocketRecords {
  const { number, messages, endedAt, close } = socket;
  const { startedAt, timed, unknownTimes, unsorted } = timedMessages(socket);
  const records: KnownRecord[] = [{ t: 0, type: 'open' }];
  let isOpen = true;
  let isConfirmed = !confirms;
  for (const { message, t } of timed) {
    const record = recordOf(message, t);
    // Both sides send a close, a failure may be recorded more than once, and only the first pong confirms the connection.
    const isRepeated = record?.type === 'close' ? !isOpen : record?.type === 'action' && isConfirmed;
    if (record === undefined || isRepeated) continue;
    if (record.type === 'close') isOpen = false;
    if (record.type === 'action') isConfirmed = true;
    records.push(record);
  }
  const endsAt = endedAt === undefined ? undefined : endedAt - startedAt;
  if (isOpen && close) {
    const last = timed.at(-1)?.t ?? 0;
    const closedAt = close === 'aborted' ? undefined : close.timestamp;
    // An earlier time is from another clock.
    const own = closedAt === undefined || closedAt < startedAt ? undefined : closedAt - startedAt;
    const fields = close === 'aborted' ? BROKEN : { code: close.code ?? NO_CODE, reason: close.reason ?? '' };
    records.push({ t: Math.max(last, own ?? endsAt ?? last), type: 'close', ...fields });
  }
  const hasTimes = unknownTimes < messages.length;
  return { number, startedAt, endsAt, records, hasTimes, unknownTimes, unsorted };
}

/** When an entry began longer than this before its first message, its time comes from another clock. */
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Sorts messages by time since the beginning of the socket, or since the first message when the beginning is unknown. A message without a time
 * gets that of the message before it. When no message has a time, they are one tick apart.
 */
function timedMessages({ messages, startedAt: begin }: HarSocket) {
  const known = messages.flatMap(({ time }) => time ?? []);
  const first = known.reduce((a, b) => Math.min(a, b), Infinity);
  const [fallback, gap] = known.length === 0 ? [0, QUEUE_TICK_MS] : [first, 0];
  const isOfThisClock =
    known.length === 0 || (begin !== undefined && begin <= first && first - begin <= DAY_MS);
  const startedAt = (isOfThisClock ? begin : undefined) ?? fallback;
  let previous = 0;
  const timed = messages.map((message) => {
    previous = message.time === undefined ? previous + gap : toMicroseconds(message.time - startedAt);
    return { message, t: previous };
  });
  let latest = 0;
  let unsorted = 0;
  for (const { t } of timed) {
    if (t < latest) unsorted++;
    else latest = t;
  }
  timed.sort((a, b) => a.t - b.t);
  return { startedAt, timed, unknownTimes: messages.length - known.length, unsorted };
}

/** Rounds to microseconds: a double has seconds since the epoch to a quarter of a microsecond. */
const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

function recordOf({ type, opcode, data, _synthetic }: HarMessage, t: number): KnownRecord | undefined {
  if (type === 'error') return { t, type: 'close', ...BROKEN };
  const direction = type === 'send' ? 'send' : 'recv';
  const synthetic = _synthetic && { synthetic: _synthetic };
  switch (opcode) {
    case OPCODE.text:
      return { t, type: direction, data, ...synthetic };
    case OPCODE.binary:
      return { t, type: direction, data, encoding: 'base64', ...synthetic };
    case OPCODE.close:
      return { t, type: 'close', ...closeOf(data) };
    case OPCODE.pong:
      return direction === 'recv' ? { t, type: 'action', action: connectionConfirmed() } : undefined;
    default:
      return undefined;
  }
}

const BROKEN = { code: NO_FRAME, reason: '' } as const;

/** Decodes the payload of a close frame: two bytes of code, then the reason. */
function closeOf(base64: string): Pick<CloseRecord, 'code' | 'reason'> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length < 2) return { code: NO_CODE, reason: '' };
  return { code: bytes.readUInt16BE(0), reason: bytes.subarray(2).toString() };
}

/**
 * Makes sockets of one client a session with reconnects: orders them by time, and closes each one before the next one opens. A socket without a
 * recorded close gets one without a frame (1006) at the end of its entry.
 * @param path names the HAR in errors.
 * @throws {CaptureError} for two sockets that have frames at the same time.
 */
function joinSockets(path: string, sockets: readonly HarSocket[]): readonly SocketRecords[] {
  const ordered = sockets
    .map((socket) => socketRecords(socket, true))
    .sort((a, b) => a.startedAt - b.startedAt);
  return ordered.map((socket, i) => {
    const next = ordered[i + 1];
    if (next === undefined) return socket;
    refuseOverlap(path, socket, next);
    return closedBefore(socket, next.startedAt - socket.startedAt);
  });
}

function refuseOverlap(path: string, socket: SocketRecords, next: SocketRecords): void {
  if (!socket.hasTimes || !next.hasTimes) return;
  const last = socket.records.findLast(({ type }) => type === 'recv' || type === 'send')?.t ?? 0;
  const overlap = socket.startedAt + last - next.startedAt;
  if (overlap <= 0) return;
  throw new CaptureError(
    `${path}: WebSocket ${next.number} opens ${overlap / 1000} s before the last message of WebSocket ${socket.number}; ` +
      'connections of one client do not overlap, so select one with --socket <n>',
  );
}

/** Returns the records of a socket that is closed at `limit` at the latest. */
function closedBefore(socket: SocketRecords, limit: number): SocketRecords {
  const { endsAt = limit, records } = socket;
  const t = Math.max(records.at(-1)?.t ?? 0, endsAt);
  const isClosed = records.some(({ type }) => type === 'close');
  const closed: readonly KnownRecord[] = isClosed ? records : [...records, { t, type: 'close', ...BROKEN }];
  return { ...socket, records: closed.map((record) => notAfter(limit, record)) };
}

const notAfter = (limit: number, record: KnownRecord): KnownRecord =>
  record.t > limit ? { ...record, t: limit } : record;
