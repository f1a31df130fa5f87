import {
  type CaptureHeader,
  type CaptureRecord,
  type FrameRecord,
  type KnownRecord,
  isKnown,
} from '#shared/capture/format.ts';
import type { LateRelease } from '#shared/store/ticks.ts';
import { NO_CODE, NO_FRAME, OPCODE } from '../read/harRecords.ts';
import { type HarMessage, LAUNCH_FIELD, RELEASES_FIELD } from '../read/readHar.ts';
import { HAR_CREATOR } from '../read/readHarCapture.ts';

/** A capture has no addresses, because the account in them is a credential. */
const PLACEHOLDER_URL = 'wss://platform.invalid/account';
const PAGE = 'session';

/** The exported parts of a capture. */
interface Exported {
  readonly header: CaptureHeader;
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
}

/**
 * Formats a capture as a HAR, in pieces: an entry for each connection, with every number that Chrome's importer needs. The time of the launch
 * and the late releases are in fields of our own. Acts and state transitions are omitted.
 */
export async function* harText({ header, records }: Exported): AsyncGenerator<string, void> {
  const startedAt = Date.parse(header.startedAt);
  const creator = { name: HAR_CREATOR, version: header.app };
  const page = { startedDateTime: header.startedAt, id: PAGE, title: 'A Parley session', pageTimings: {} };
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"pages":[${JSON.stringify(page)}],"entries":[`;
  const entries = entryWriter(startedAt);
  for await (const batch of records()) yield batch.map(entries.take).join('');
  yield `${entries.end()}]${entries.ownFields()}}}\n`;
}

/**
 * Writes entries from records:
 *
 *     between ── open, or a frame ──▶ within an entry ── close ──▶ between
 *
 * The first launch before all entries counts; later ones are ignored (`launchesSession`).
 */
function entryWriter(startedAt: number) {
  const own = ownFields();
  let openedAt: number | undefined;
  let last = 0;
  let entries = 0;
  let messages = 0;

  const end = (): string => {
    if (openedAt === undefined) return '';
    const duration = last - openedAt;
    openedAt = undefined;
    return `],"time":${duration},"timings":${JSON.stringify({ send: 0, wait: 0, receive: duration })}}`;
  };
  const begin = (t: number): string => {
    const before = end();
    openedAt = t;
    last = t;
    messages = 0;
    entries += 1;
    const fields = JSON.stringify(entryFields(new Date(startedAt + t).toISOString()));
    return `${before}${entries === 1 ? '' : ','}${fields.slice(0, -1)},"_webSocketMessages":[`;
  };
  const add = (t: number, fields: Omit<HarMessage, 'time'>): string => {
    const start = openedAt === undefined ? begin(t) : '';
    last = t;
    messages += 1;
    const message: HarMessage = { ...fields, time: (startedAt + t) / 1000 };
    return `${start}${messages === 1 ? '' : ','}${JSON.stringify(message)}`;
  };
  const take = (record: CaptureRecord): string => {
    if (!isKnown(record)) return '';
    own.take(record, entries);
    switch (record.type) {
      case 'open':
        return begin(record.t);
      case 'recv':
      case 'send':
        return add(record.t, frameMessage(record));
      case 'close':
        return openedAt === undefined ? '' : add(record.t, closeMessage(record)) + end();
      case 'release':
      case 'launch':
      case 'action':
        return '';
      default:
        return record satisfies never;
    }
  };
  return { take, end, ownFields: own.text };
}

/** Collects our own fields: the launch, if it comes before all entries, and the late releases. */
function ownFields() {
  let launch: number | undefined;
  const releases: LateRelease[] = [];
  return {
    take(record: KnownRecord, entries: number): void {
      if (record.type === 'launch' && entries === 0) launch ??= record.t;
      if (record.type !== 'release') return;
      const { t, update, due, tick } = record;
      releases.push({ t, update, due, tick });
    },
    text: (): string =>
      (launch === undefined ? '' : `,"${LAUNCH_FIELD}":${launch}`) +
      (releases.length === 0 ? '' : `,"${RELEASES_FIELD}":${JSON.stringify(releases)}`),
  };
}

const frameMessage = ({ type, data, encoding, synthetic }: FrameRecord): Omit<HarMessage, 'time'> => ({
  type: type === 'send' ? 'send' : 'receive',
  opcode: encoding === 'base64' ? OPCODE.binary : OPCODE.text,
  data,
  ...(synthetic && { _synthetic: synthetic }),
});

/** Converts a close to its frame; a close without a frame becomes the error that Chrome records. */
function closeMessage({ code, reason }: { code: number; reason: string }): Omit<HarMessage, 'time'> {
  if (code === NO_FRAME) return { type: 'error', opcode: -1, data: 'closed without a close frame' };
  const bytes = Buffer.from(`\0\0${reason}`);
  bytes.writeUInt16BE(code, 0);
  return { type: 'receive', opcode: OPCODE.close, data: code === NO_CODE ? '' : bytes.toString('base64') };
}

/** Returns an entry without its messages and their duration. */
const entryFields = (startedDateTime: string) => ({
  startedDateTime,
  pageref: PAGE,
  _resourceType: 'websocket',
  request: {
    method: 'GET',
    url: PLACEHOLDER_URL,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    queryString: [],
    headersSize: -1,
    bodySize: 0,
  },
  response: {
    status: 101,
    statusText: 'Switching Protocols',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    content: { size: 0, mimeType: 'x-unknown' },
    redirectURL: '',
    headersSize: -1,
    bodySize: 0,
  },
  cache: {},
});

/** Formats a capture file, in pieces. Calls `onRecord` for each record. */
export async function* captureText(
  header: CaptureHeader,
  batches: AsyncIterable<readonly CaptureRecord[]>,
  onRecord: (record: CaptureRecord) => void = () => {},
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(header)}\n`;
  for await (const batch of batches) {
    for (const record of batch) {
      onRecord(record);
      yield `${JSON.stringify(record)}\n`;
    }
  }
}
