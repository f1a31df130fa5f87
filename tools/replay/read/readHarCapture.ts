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
import type { Chunks } from './readBytes.ts';
import {
  BROKEN,
  HAR_CREATOR,
  type Har,
  type HarMessage,
  type HarSocket,
  LAUNCH_FIELD,
  NO_CODE,
  OPCODE,
  RELEASES_FIELD,
  readHar,
} from './readHar.ts';
import { STDIN, captureName } from './stdin.ts';

interface Choice {
  /** The number of a WebSocket, from 1. */
  readonly socket?: number | undefined;
  /** Whether the WebSockets of one address become one session. */
  readonly join?: boolean | undefined;
}

/**
 * Reads a WebSocket of a HAR as a capture: its only one, or number `socket`. With `join`, the sockets of one address are one session with
 * reconnects, and so are those of a HAR that Parley exported.
 * @param chunks the content of the HAR, when it is already open.
 * @throws {CaptureError} when there are several and `socket` is missing, when they cannot be joined, or when the HAR cannot be used.
 */
export async function readHarCapture(
  given: string,
  choice: Choice = {},
  chunks?: Chunks,
): Promise<CaptureReader> {
  const har = await readHar(given, chunks);
  const { name = '', version = '' } = har.logs[0]?.creator ?? {};
  const isOurs = name === HAR_CREATOR && choice.socket === undefined && har.logs.length === 1;
  const own = isOurs ? har.logs[0] : undefined;
  const sockets = isOurs ? inOrder(har.sockets) : chosenSockets(har, choice);
  const startedAt = own?.pages[0]?.startedDateTime ?? sockets[0]?.startedAt ?? 0;
  // A late release comes before what was received at its time.
  const session = [
    ...(own?.[RELEASES_FIELD] ?? []),
    ...sessionRecords(sockets, startedAt, own?.[LAUNCH_FIELD]),
  ].sort((a, b) => a.t - b.t);
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
    warnings: warningsOf(har.path, sockets),
  };
}

/** Returns the records of sockets that follow each other, with times since `startedAt`. */
function sessionRecords(sockets: readonly SocketRecords[], startedAt: number, launch: number | undefined) {
  const session: KnownRecord[] = launch === undefined ? [] : [{ t: launch, type: 'launch' }];
  let previous = launch ?? 0;
  for (const record of sockets.flatMap(({ records }) => records)) {
    previous = Math.max(previous, toMicroseconds(record.t - startedAt));
    session.push({ ...record, t: previous });
  }
  return session;
}

function warningsOf(path: string, sockets: readonly SocketRecords[]): string[] {
  const unknown = sockets.reduce((sum, { unknownTimes }) => sum + unknownTimes, 0);
  const unsorted = sockets.reduce((sum, socket) => sum + socket.unsorted, 0);
  const of = (count: number, verb: string) => `${path}: ${pluralize(count, 'message')} ${verb}`;
  const noTime = `${of(unknown, unknown === 1 ? 'has' : 'have')} no time; the order is kept, the times are not the recorded ones`;
  const early = `${of(unsorted, unsorted === 1 ? 'is' : 'are')} earlier than the one before; the messages are sorted by time`;
  return [...(unknown > 0 ? [noTime] : []), ...(unsorted > 0 ? [early] : [])];
}

function chosenSockets({ path, sockets }: Har, { socket: number, join }: Choice): readonly SocketRecords[] {
  const chosen = sockets[(number ?? 1) - 1];
  if (chosen === undefined)
    throw new CaptureError(`${path}: has no WebSocket ${number} (${listOf(sockets)})`);
  if (!join) {
    if (number !== undefined || sockets.length === 1) return inOrder([chosen]);
    const given = path === captureName(STDIN) ? STDIN : path;
    throw new CaptureError(
      `${path}: contains ${sockets.length} WebSockets (${listOf(sockets)}); select one with \`import ${given} --socket <n>\`, or join those of one client with --join`,
    );
  }
  const joined = sockets.filter(({ url }) => addressOf(url) === addressOf(chosen.url));
  if (number === undefined && joined.length < sockets.length)
    throw new CaptureError(
      `${path}: contains WebSockets of several addresses (${listOf(sockets)}); select one of the client with --socket <n>`,
    );
  return joinSockets(path, joined);
}

const listOf = (sockets: readonly HarSocket[]): string =>
  sockets
    .map(({ number, url, messages, file }) => {
      const place = file === undefined ? '' : `, in ${basename(file)}`;
      return `${number}: ${shortAddress(url)}, ${pluralize(messages.length, 'message')}${place}`;
    })
    .join('; ');

/** Returns an address without its query, which may differ for each connection. It contains the account: only compare it. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const SHOWN = 3;

/** Returns an address with the beginning of its last segment, which is the account identifier (spec §4.2), a credential. */
function shortAddress(url: string): string {
  if (!URL.canParse(url)) return 'an invalid address';
  const [, before = '', account = ''] = /^(.*\/)(.*)$/.exec(addressOf(url)) ?? [];
  return `${before}${account.length > SHOWN * 2 ? account.slice(0, SHOWN) : ''}${account === '' ? '' : '…'}`;
}

/** The records of one socket of a HAR. */
type SocketRecords = ReturnType<typeof socketRecords>;

/**
 * Converts a socket to records: first `open`, then the others in the order of time; `t` is in milliseconds since the epoch. It closes if the HAR
 * contains a close.
 * @param confirms whether the first pong confirms the connection, as the app records it.
 */
function socketRecords(socket: HarSocket, confirms: boolean) {
  const { number, endedAt, close } = socket;
  const { startedAt, timed, ...times } = timedMessages(socket);
  const all = timed.flatMap(({ message, t }) => recordOf(message, t) ?? []);
  // Both sides send a close, a failure may be recorded more than once, and only the first pong confirms the connection.
  const closing = all.find(({ type }) => type === 'close');
  const pong = confirms ? all.find(({ type }) => type === 'action') : undefined;
  const isUsed = (record: KnownRecord) =>
    record.type === 'close' ? record === closing : record.type !== 'action' || record === pong;
  const records: KnownRecord[] = [{ t: startedAt, type: 'open' }, ...all.filter(isUsed)];
  if (closing === undefined && close) {
    const last = timed.at(-1)?.t ?? startedAt;
    const { timestamp = 0, ...fields } = close;
    // An earlier time is from another clock.
    const closedAt = timestamp < startedAt ? endedAt : timestamp;
    records.push({ t: Math.max(last, closedAt ?? last), type: 'close', ...fields });
  }
  return { number, startedAt, endedAt, records, ...times };
}

/** When an entry began longer than this before its first message, its time comes from another clock. */
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Sorts messages by time, milliseconds since the epoch. A message without a time gets that of the message before it. When no message has a time,
 * they are one tick apart, from the beginning of the socket.
 */
function timedMessages({ messages, startedAt: begin }: HarSocket) {
  const known = messages.flatMap(({ time }) => time ?? []);
  const first = known.reduce((a, b) => Math.min(a, b), Infinity);
  const hasTimes = known.length > 0;
  const isOfThisClock = !hasTimes || (begin !== undefined && begin <= first && first - begin <= DAY_MS);
  const startedAt = (isOfThisClock ? begin : undefined) ?? (hasTimes ? first : 0);
  let previous = startedAt;
  let latest = startedAt;
  let unsorted = 0;
  const timed = messages.map((message) => {
    const { time } = message;
    if (time === undefined) previous += hasTimes ? 0 : QUEUE_TICK_MS;
    else previous = startedAt + toMicroseconds(time - startedAt);
    if (previous < latest) unsorted++;
    latest = Math.max(latest, previous);
    return { message, t: previous };
  });
  timed.sort((a, b) => a.t - b.t);
  return { startedAt, timed, hasTimes, unknownTimes: messages.length - known.length, unsorted };
}

/** Rounds to microseconds: a double has milliseconds since the epoch to a quarter of a microsecond. */
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

/** Decodes the payload of a close frame: two bytes of code, then the reason. */
function closeOf(base64: string): Pick<CloseRecord, 'code' | 'reason'> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length < 2) return { code: NO_CODE, reason: '' };
  return { code: bytes.readUInt16BE(0), reason: bytes.subarray(2).toString() };
}

/** Converts sockets to records, in the order of time. */
const inOrder = (sockets: readonly HarSocket[], confirms = false): readonly SocketRecords[] =>
  sockets.map((socket) => socketRecords(socket, confirms)).sort((a, b) => a.startedAt - b.startedAt);

/**
 * Makes sockets of one client a session with reconnects: orders them by time, and closes each one before the next one opens. A socket without a
 * recorded close gets one without a frame (1006) at the end of its entry.
 * @param path names the HAR in errors.
 * @throws {CaptureError} for two sockets that have frames at the same time.
 */
const joinSockets = (path: string, sockets: readonly HarSocket[]): readonly SocketRecords[] =>
  inOrder(sockets, true).map((socket, i, ordered) => {
    const next = ordered[i + 1];
    if (next === undefined) return socket;
    refuseOverlap(path, socket, next);
    return closedBefore(next.startedAt, socket);
  });

/** Returns the records of a socket that is closed at `limit` at the latest. */
function closedBefore(limit: number, socket: SocketRecords): SocketRecords {
  const { endedAt = limit, records } = socket;
  const isClosed = records.some(({ type }) => type === 'close');
  const end = Math.max(records.at(-1)?.t ?? 0, endedAt);
  const closed: KnownRecord[] = isClosed ? records : [...records, { t: end, type: 'close', ...BROKEN }];
  return { ...socket, records: closed.map((record) => notAfter(limit, record)) };
}

const notAfter = (limit: number, record: KnownRecord): KnownRecord =>
  record.t > limit ? { ...record, t: limit } : record;

function refuseOverlap(path: string, socket: SocketRecords, next: SocketRecords): void {
  if (!socket.hasTimes || !next.hasTimes) return;
  const last = socket.records.findLast(({ type }) => type === 'recv' || type === 'send')?.t ?? 0;
  const overlap = toMicroseconds(last - next.startedAt);
  if (overlap <= 0) return;
  throw new CaptureError(
    `${path}: WebSocket ${next.number} opens ${overlap / 1000} s before the last message of WebSocket ${socket.number}; ` +
      'connections of one client do not overlap, so select one with --socket <n>',
  );
}
