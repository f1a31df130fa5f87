import { basename } from 'node:path';
import {
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type CaptureHeader,
  type CaptureRecord,
  type KnownRecord,
} from '#shared/capture/format.ts';
import type { LateRelease } from '#shared/store/ticks.ts';
import { pluralize } from '#shared/formatText.ts';
import { CaptureError } from './captureDecoder.ts';
import { type HarRecords, harRecords, joinSockets } from './harRecords.ts';
import { type Har, type HarSocket, readHar } from './readHar.ts';
import { STDIN, captureName } from './stdin.ts';

/** A HAR as a capture, with the same three parts as a capture file. */
interface HarCapture {
  readonly header: CaptureHeader;
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
  readonly warnings: readonly string[];
}

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
  path: string,
  { socket: number, join = false, bytes }: HarOptions = {},
): Promise<HarCapture> {
  const har = await readHar(path, bytes);
  const { name, version } = har.creator;
  const isOurs = name === HAR_CREATOR && number === undefined && har.files === 1;
  const sockets = isOurs
    ? har.sockets.map((socket) => harRecords(socket)).toSorted((a, b) => a.startedAt - b.startedAt)
    : chosenSockets(har, { number, join });
  const startedAt = (isOurs ? har.startedAt : undefined) ?? sockets[0]?.startedAt ?? 0;
  const session = oneSession(sockets, { startedAt, launch: isOurs ? har.launch : undefined });
  const records = isOurs ? withReleases(session, har.releases) : session;
  const header: CaptureHeader = {
    format: CAPTURE_FORMAT,
    version: CAPTURE_VERSION,
    startedAt: new Date(startedAt).toISOString(),
    app: name === HAR_CREATOR ? version : `${name} ${version}`.trim(),
  };
  return {
    header,
    async *records() {
      yield records;
    },
    warnings: warningsOf(har.path, sockets),
  };
}

/** Returns the records of sockets that follow each other, with times since `startedAt`. */
function oneSession(
  sockets: readonly HarRecords[],
  { startedAt, launch }: { startedAt: number; launch: number | undefined },
): KnownRecord[] {
  const session: KnownRecord[] = launch === undefined ? [] : [{ t: launch, type: 'launch' }];
  let previous = launch ?? 0;
  for (const { startedAt: begin, records } of sockets) {
    for (const record of records) {
      previous = Math.max(previous, Math.round((begin - startedAt + record.t) * 1000) / 1000);
      session.push({ ...record, t: previous });
    }
  }
  return session;
}

/** Adds late releases: each comes before what was received at its time. */
function withReleases(records: readonly KnownRecord[], releases: readonly LateRelease[]): KnownRecord[] {
  const added = releases.map((release) => ({ ...release, type: 'release' }) as const);
  return [...added, ...records].sort((a, b) => a.t - b.t);
}

function warningsOf(path: string, sockets: readonly HarRecords[]): string[] {
  const sum = (count: (socket: HarRecords) => number) => sockets.reduce((all, one) => all + count(one), 0);
  const unknown = sum(({ unknownTimes }) => unknownTimes);
  const unsorted = sum((socket) => socket.unsorted);
  return [
    ...(unknown === 0
      ? []
      : [
          `${path}: ${unknown} ${unknown === 1 ? 'message has' : 'messages have'} no time; the order is kept, the times are not the recorded ones`,
        ]),
    ...(unsorted === 0
      ? []
      : [
          `${path}: ${pluralize(unsorted, 'message')} ${unsorted === 1 ? 'is' : 'are'} earlier than the one before; the messages are sorted by time`,
        ]),
  ];
}

interface Choice {
  readonly number: number | undefined;
  readonly join: boolean;
}

function chosenSockets(har: Har, { number, join }: Choice): readonly HarRecords[] {
  if (!join) return [harRecords(socketOf(har, number))];
  const { path, sockets } = har;
  const chosen = number === undefined ? sockets[0] : socketOf(har, number);
  const address = addressOf(chosen?.url ?? '');
  const joined = sockets.flatMap((socket, i) =>
    addressOf(socket.url) === address ? [{ number: i + 1, records: harRecords(socket, true) }] : [],
  );
  if (number === undefined && joined.length < sockets.length)
    throw new CaptureError(
      `${path}: contains WebSockets of several addresses (${listOf(sockets)}); select one of the client with --socket <n>`,
    );
  return joinSockets(path, joined);
}

function socketOf({ path, sockets }: Har, number: number | undefined): HarSocket {
  const socket = sockets[(number ?? 1) - 1];
  if (socket !== undefined && (number !== undefined || sockets.length === 1)) return socket;
  const list = listOf(sockets);
  throw new CaptureError(
    number === undefined
      ? `${path}: contains ${sockets.length} WebSockets (${list}); select one with \`import ${path === captureName(STDIN) ? STDIN : path} --socket <n>\`, or join those of one client with --join`
      : `${path}: has no WebSocket ${number} (${list})`,
  );
}

const listOf = (sockets: readonly HarSocket[]): string =>
  sockets.map((one, i) => `${i + 1}: ${socketLabel(one)}`).join('; ');

const SHOWN = 3;

/**
 * Describes a socket: its address and its number of messages. The path's last segment is the account identifier
 * (spec §4.2), a credential, so only its beginning is shown.
 */
const socketLabel = ({ url, messages, file }: HarSocket): string =>
  `${shortAddress(url)}, ${pluralize(messages.length, 'message')}${file === undefined ? '' : `, in ${basename(file)}`}`;

/** Returns the address of a socket without its query, which may differ for each connection. It contains the account: only compare it. */
const addressOf = (url: string): string =>
  URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : url;

function shortAddress(url: string): string {
  if (!URL.canParse(url)) return 'an invalid address';
  const { host, pathname } = new URL(url);
  const cut = pathname.lastIndexOf('/') + 1;
  const account = pathname.slice(cut);
  const shown = account.length > SHOWN * 2 ? account.slice(0, SHOWN) : '';
  return `${host}${pathname.slice(0, cut)}${account === '' ? '' : `${shown}…`}`;
}
