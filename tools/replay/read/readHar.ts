import { basename, normalize } from 'node:path';
import { unzipSync } from 'fflate';
import { z } from 'zod';
import type { ReleaseRecord } from '#shared/capture/captureFormat.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import type { LateRelease } from '#shared/store/queue.ts';
import { CaptureError } from './captureDecoder.ts';
import { type Chunks, ZIP, readBytes } from './readBytes.ts';
import { captureName } from './stdin.ts';

/** The opcodes that are converted (RFC 6455 §5.2); pings and all others are omitted. */
export const OPCODE = { text: 1, binary: 2, close: 8, pong: 10 } as const;

/** The code of a close with an empty close frame (RFC 6455 §7.4.1). */
export const NO_CODE = 1005;
/** A close without a close frame (RFC 6455 §7.4.1). */
export const BROKEN = { code: 1006, reason: '' } as const;

/** The creator in a HAR that Parley wrote. */
export const HAR_CREATOR = 'Parley';
/** Our own field of a HAR: the time of the session's launch, milliseconds since the start of the recording. */
export const LAUNCH_FIELD = '_parleyLaunch';
/** Our own field of a HAR: the session's late releases, which captures have as records. */
export const RELEASES_FIELD = '_parleyReleases';

/** The largest time that a `Date` can have, milliseconds. */
const LAST_TIME = 8.64e15;
/** Larger times are milliseconds: as seconds they would be after the year 5138, as milliseconds they are after 1973. */
const FIRST_MILLISECONDS = 1e11;

/** A time, seconds (or milliseconds: Playwright) since the epoch; -1 when it is missing. Becomes milliseconds, or `undefined`. */
const harTime = z
  .number()
  .max(LAST_TIME)
  .nullish()
  .transform((time) => {
    if (typeof time !== 'number' || time < 0) return undefined;
    return time > FIRST_MILLISECONDS ? time : time * 1000;
  });

const dateText = z.string().transform((text) => {
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
});

/** One message of a WebSocket, as Chrome, mitmproxy and Playwright write it. */
const messageSchema = z.object({
  type: z.enum(['send', 'receive', 'error']),
  time: harTime,
  opcode: z.number(),
  data: z.string(),
  /** Our own field: the snapshot with which a capture begins in the middle of a session. */
  _synthetic: z.literal(true).optional(),
});
/** A WebSocket message of a HAR, with its time in milliseconds since the epoch, if known. */
export type HarMessage = z.output<typeof messageSchema>;
/** A WebSocket message as it stands in a HAR. */
export type HarMessageFields = z.input<typeof messageSchema>;

/** How a socket closed, as HTTP Toolkit writes it: the close frame, if there was one, and the time since the start of its process. */
const closeSchema = z.union([
  z.literal('aborted').transform(() => ({ timestamp: undefined, ...BROKEN })),
  z
    .object({ code: z.number().nullish(), reason: z.string().nullish(), timestamp: harTime })
    .transform(({ timestamp, code, reason }) => ({ timestamp, code: code ?? NO_CODE, reason: reason ?? '' })),
]);

const socketSchema = z
  .object({
    startedDateTime: dateText.optional(),
    /** The duration, milliseconds; -1 when it is unknown. */
    time: z.number().nullish(),
    request: z.object({ url: z.string() }),
    response: z.object({ content: z.object({ _file: z.string().optional() }).optional() }).optional(),
    _webSocketMessages: z.array(messageSchema).optional(),
    _webSocketClose: closeSchema.nullish(),
  })
  .transform(({ startedDateTime, time, request, response, ...socket }) => ({
    url: request.url,
    /** The beginning and the end of the entry, milliseconds since the epoch, if known. */
    startedAt: startedDateTime,
    endedAt: startedDateTime === undefined || (time ?? -1) < 0 ? undefined : startedDateTime + (time ?? 0),
    messages: socket._webSocketMessages,
    /** The file in which Playwright attached the messages. */
    attached: response?.content?._file,
    /** How it closed, if the HAR says so apart from the messages. */
    close: socket._webSocketClose,
  }));

const ownTime = z.number().min(0).max(LAST_TIME);
const tick = z.int().nonnegative().multipleOf(QUEUE_TICK_MS);
const toRelease = (release: LateRelease): ReleaseRecord => ({ ...release, type: 'release' });

/** The parts of a HAR that are read. Entries that are not WebSockets are not checked. */
const harSchema = z.object({
  log: z.object({
    creator: z.object({ name: z.string(), version: z.string() }).default({ name: 'HAR', version: '' }),
    pages: z.array(z.object({ startedDateTime: dateText })).default([]),
    entries: z.array(
      z
        .looseObject({})
        .transform((entry) =>
          entry._resourceType === 'websocket' || entry._webSocketMessages !== undefined ? entry : undefined,
        )
        .pipe(socketSchema.optional()),
    ),
    [LAUNCH_FIELD]: ownTime.optional(),
    [RELEASES_FIELD]: z
      .array(z.object({ t: ownTime, update: z.int(), due: tick, tick }).transform(toRelease))
      .default([]),
  }),
});

/** The WebSockets of a HAR. */
export type Har = Awaited<ReturnType<typeof readHar>>;
/** A WebSocket of a HAR, with its messages. */
export interface HarSocket extends Omit<z.output<typeof socketSchema>, 'attached' | 'messages'> {
  /** Its number among the sockets with messages, from 1. */
  readonly number: number;
  /** The name of its HAR, when a zip contains several. */
  readonly file: string | undefined;
  readonly messages: readonly HarMessage[];
}

/**
 * Reads the WebSockets that have messages, in the HAR's order: of a HAR, plain, gzipped or in a zip (`-` is stdin), with the separate files in
 * which Playwright attaches messages. The HARs of a zip become one, in the order of their names.
 * @param chunks the content of the file, when it is already open.
 * @throws {CaptureError} when the file cannot be read, is larger than 512 MB when it is decompressed, is not a HAR, or has no WebSocket messages.
 */
export async function readHar(given: string, chunks?: Chunks) {
  const path = captureName(given);
  const { hars, textOf } = await openHars(given, chunks);
  const logs = hars.map(([file, text]) => ({ file, ...check(file, harSchema, parse(file, text)).log }));
  const sockets: HarSocket[] = [];
  let count = 0;
  for (const { file, entries } of logs) {
    for (const { attached, ...entry } of entries.filter((one) => one !== undefined)) {
      count++;
      const { messages = attached === undefined ? [] : await messagesIn(attached, file, textOf) } = entry;
      const of = { number: sockets.length + 1, file: hars.length > 1 ? file : undefined };
      if (messages.length > 0) sockets.push({ ...entry, ...of, messages });
    }
  }
  if (count === 0) throw new CaptureError(`${path}: contains no WebSocket`);
  if (sockets.length === 0)
    throw new CaptureError(`${path}: contains no WebSocket messages; record it with their content`);
  return { path, logs, sockets };
}

/** Reads the messages that Playwright attached to a HAR: one per line, in a file in its folder. */
async function messagesIn(attached: string, har: string, textOf: Hars['textOf']): Promise<HarMessage[]> {
  const name = normalize(attached);
  if (name.startsWith('..') || name.startsWith('/'))
    throw new CaptureError(
      `${har}: its messages are in ${attached}, outside its folder; move that file beside it`,
    );
  const file = `${har.slice(0, -basename(har).length)}${name}`;
  const lines = (await textOf(file)).split('\n').filter((line) => line !== '');
  return lines.map((line, i) => check(`${file}:${i + 1}`, messageSchema, parse(`${file}:${i + 1}`, line)));
}

function parse(path: string, text: string): unknown {
  if (text.trim() === '') throw new CaptureError(`${path}: is empty`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CaptureError(`${path}: is not JSON`, { cause: error });
  }
}

function check<T>(path: string, schema: z.ZodType<T>, value: unknown): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const where = z.core.toDotPath(issue?.path ?? []) || 'the document';
  throw new CaptureError(`${path}: does not have the format of Chrome’s HARs: ${where}: ${issue?.message}`);
}

/** The paths and the texts of the HARs of a file, and what reads the files beside them. */
interface Hars {
  readonly hars: readonly (readonly [path: string, text: string])[];
  /** @throws {CaptureError} when the file cannot be read. */
  readonly textOf: (path: string) => Promise<string>;
}

async function openHars(given: string, chunks?: Chunks): Promise<Hars> {
  const path = captureName(given);
  const bytes = await wholeOf(given, chunks);
  if (bytes.toString('latin1', 0, ZIP.length) !== ZIP)
    return { hars: [[path, toText(bytes)]], textOf: async (file) => toText(await wholeOf(file)) };
  // Omits what macOS adds for each file.
  const hars = unzipped(path, bytes, (name) => /\/(?!\._)[^/]*\.har$/i.test(name));
  if (hars.length === 0) throw new CaptureError(`${path}: contains no .har file`);
  return {
    hars,
    async textOf(file) {
      const [found] = unzipped(path, bytes, (name) => name === file);
      if (found === undefined) throw new CaptureError(`${file}: there is no such file in the zip`);
      return found[1];
    },
  };
}

/** A larger file is not decompressed: a text of this size is the longest that can be parsed. */
const MOST_BYTES = 512 * 1024 * 1024;
const TOO_LARGE = `is larger than ${MOST_BYTES / 1024 / 1024} MB when it is decompressed`;

/** Decodes UTF-8, without a byte order mark. */
const toText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function wholeOf(path: string, chunks = readBytes(path)): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new CaptureError(`${captureName(path)}: ${TOO_LARGE}`);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/**
 * Decompresses some files of a zip; a file's path is that of the zip and its name there. Sorts them by name. A file is never decompressed beyond
 * the size that the zip states.
 */
function unzipped(zip: string, bytes: Buffer, isWanted: (path: string) => boolean): Hars['hars'] {
  let size = 0;
  try {
    const files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isWanted(`${zip}/${name}`)) return false;
        size += originalSize;
        if (size > MOST_BYTES) throw new CaptureError(`${zip}: ${TOO_LARGE}`);
        return true;
      },
    });
    const names = Object.keys(files).sort();
    return names.map((name) => [`${zip}/${name}`, toText(files[name] ?? bytes)]);
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    throw new CaptureError(`${zip}: is not a zip file, or a broken one`, { cause: error });
  }
}
