import {
  type CaptureHeader,
  type CaptureRecord,
  type FrameRecord,
  isKnown,
  isOfOtherSocket,
} from '#shared/capture/captureFormat.ts';
import type { LateRelease } from '#shared/store/queue.ts';
import type { CaptureReader } from '../read/captureDecoder.ts';
import {
  BROKEN,
  HAR_CREATOR,
  type HarMessageFields,
  LAUNCH_FIELD,
  NO_CODE,
  OPCODE,
  RELEASES_FIELD,
} from '../read/readHar.ts';

/** A capture has no addresses, because the account in them is a credential. */
const PLACEHOLDER_URL = 'wss://platform.invalid/account';
const PAGE = 'session';

/**
 * Formats a capture as a HAR, in pieces: an entry for each connection, with every number that Chrome's importer needs. The time of the launch
 * and the late releases are in fields of our own. Acts and state transitions are omitted.
 */
export async function* harText({ header, records }: Pick<CaptureReader, 'header' | 'records'>) {
  const creator = { name: HAR_CREATOR, version: header.app };
  const page = { startedDateTime: header.startedAt, id: PAGE, title: 'A Parley session', pageTimings: {} };
  yield `{"log":{"creator":${JSON.stringify(creator)},"pages":[${JSON.stringify(page)}],"entries":[`;
  const entries = entryWriter(Date.parse(header.startedAt));
  for await (const batch of records()) yield batch.map(entries.take).join('');
  yield `${entries.end()}],${withoutBrace({ version: '1.2', ...entries.ownFields() })}}\n`;
}

/** Encodes the last fields of an object. */
const withoutBrace = (fields: object): string => JSON.stringify(fields).slice(1);

/**
 * Writes entries from records:
 *
 *     between ── open, or a frame ──▶ within an entry ── close ──▶ between
 *
 * The first launch before all entries counts; later ones are ignored (`launchesSession`).
 */
function entryWriter(startedAt: number) {
  const releases: LateRelease[] = [];
  let launch: number | undefined;
  let entry: { readonly openedAt: number; last: number; messages: number } | undefined;
  let entries = 0;

  const end = (): string => {
    if (entry === undefined) return '';
    const time = entry.last - entry.openedAt;
    entry = undefined;
    return `],${withoutBrace({ time, timings: { send: 0, wait: 0, receive: time } })}`;
  };
  const begin = (t: number): string => {
    const before = `${end()}${entries++ === 0 ? '' : ','}`;
    entry = { openedAt: t, last: t, messages: 0 };
    const fields = { startedDateTime: new Date(startedAt + t).toISOString(), ...ENTRY };
    return `${before}${JSON.stringify(fields).slice(0, -1)},"_webSocketMessages":[`;
  };
  const add = (t: number, fields: Omit<HarMessageFields, 'time'>): string => {
    const start = entry === undefined ? begin(t) : '';
    const separator = entry?.messages ? ',' : '';
    if (entry !== undefined) entry = { ...entry, last: t, messages: entry.messages + 1 };
    return `${start}${separator}${JSON.stringify({ ...fields, time: (startedAt + t) / 1000 })}`;
  };
  const take = (record: CaptureRecord): string => {
    if (!isKnown(record) || isOfOtherSocket(record)) return '';
    switch (record.type) {
      case 'open':
        return begin(record.t);
      case 'recv':
      case 'send':
        return add(record.t, frameMessage(record));
      case 'close':
        return entry === undefined ? '' : add(record.t, closeMessage(record)) + end();
      case 'release': {
        const { t, update, due, tick } = record;
        releases.push({ t, update, due, tick });
        return '';
      }
      case 'launch':
        if (entries === 0) launch ??= record.t;
        return '';
      case 'action':
      case 'http':
      case 'end':
        return '';
      default:
        return record satisfies never;
    }
  };
  const ownFields = () => ({
    [LAUNCH_FIELD]: launch,
    [RELEASES_FIELD]: releases.length === 0 ? undefined : releases,
  });
  return { take, end, ownFields };
}

const frameMessage = ({ type, data, encoding, synthetic }: FrameRecord): Omit<HarMessageFields, 'time'> => ({
  type: type === 'send' ? 'send' : 'receive',
  opcode: encoding === 'base64' ? OPCODE.binary : OPCODE.text,
  data,
  ...(synthetic && { _synthetic: synthetic }),
});

/** Converts a close to its frame; a close without a frame becomes the error that Chrome records. */
function closeMessage({ code, reason }: { code: number; reason: string }): Omit<HarMessageFields, 'time'> {
  if (code === BROKEN.code) return { type: 'error', opcode: -1, data: 'closed without a close frame' };
  const bytes = Buffer.from(`\0\0${reason}`);
  bytes.writeUInt16BE(code, 0);
  return { type: 'receive', opcode: OPCODE.close, data: code === NO_CODE ? '' : bytes.toString('base64') };
}

const HTTP = { httpVersion: 'HTTP/1.1', cookies: [], headers: [], headersSize: -1, bodySize: 0 };

/** An entry without its beginning, its messages and their duration. */
const ENTRY = {
  pageref: PAGE,
  _resourceType: 'websocket',
  request: { method: 'GET', url: PLACEHOLDER_URL, queryString: [], ...HTTP },
  response: {
    status: 101,
    statusText: 'Switching Protocols',
    content: { size: 0, mimeType: 'x-unknown' },
    redirectURL: '',
    ...HTTP,
  },
  cache: {},
};

/** Formats a capture file, in pieces. Calls `onRecord` for each record. */
export async function* captureText(
  header: CaptureHeader,
  batches: AsyncIterable<readonly CaptureRecord[]>,
  onRecord?: (record: CaptureRecord) => void,
): AsyncGenerator<string, void> {
  yield `${JSON.stringify(header)}\n`;
  for await (const batch of batches)
    for (const record of batch) {
      onRecord?.(record);
      yield `${JSON.stringify(record)}\n`;
    }
}
