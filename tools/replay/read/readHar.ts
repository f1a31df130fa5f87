import { normalize } from 'node:path';
import { z } from 'zod';
import type { LateRelease } from '#shared/store/ticks.ts';
import { CaptureError, withoutByteOrderMark } from './captureDecoder.ts';
import { type HarFile, harFiles } from './harFiles.ts';
import { captureName } from './stdin.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';

/** A WebSocket of a HAR, with its messages. */
export interface HarSocket {
  readonly url: string;
  /** The name of its HAR, when a zip contains several. */
  readonly file?: string | undefined;
  /** The beginning of the entry, milliseconds since the epoch, if known. */
  readonly startedAt?: number | undefined;
  /** The end of the entry, milliseconds since the epoch, if known. */
  readonly endedAt?: number | undefined;
  readonly messages: readonly HarMessage[];
  /** How it closed, if the HAR says so apart from the messages. */
  readonly close?: HarClose | undefined;
}

/** The WebSockets of a HAR. */
export interface Har {
  readonly path: string;
  /** The number of HARs; more than one only in a zip. */
  readonly files: number;
  readonly creator: { readonly name: string; readonly version: string };
  /** The beginning of the first page, milliseconds since the epoch, if known. */
  readonly startedAt: number | undefined;
  /** The launch of the session in a HAR that Parley wrote, milliseconds since `startedAt`. */
  readonly launch: number | undefined;
  /** The late releases in a HAR that Parley wrote. */
  readonly releases: readonly LateRelease[];
  /** The sockets with messages, in the HAR's order; at least one. */
  readonly sockets: readonly HarSocket[];
}

/**
 * Reads a HAR, plain, gzipped or in a zip (`-` is stdin), with the separate files in which Playwright attaches messages. The HARs of a zip become
 * one, in the order of their names.
 * @param bytes the content of the file, when it has already been read.
 * @throws {CaptureError} when the file cannot be read, is not a HAR, or has no WebSocket messages.
 */
export async function readHar(given: string, bytes?: Buffer): Promise<Har> {
  const path = captureName(given);
  const files = await harFiles(given, bytes);
  const hars: Log[] = [];
  for (const file of files) hars.push(await logOf(file));
  const sockets = hars.flatMap((har, i) =>
    files.length === 1 ? har.sockets : har.sockets.map((socket) => ({ ...socket, file: files[i]?.path })),
  );
  if (sockets.length === 0) throw new CaptureError(`${path}: contains no WebSocket`);
  const spoken = sockets.filter(({ messages }) => messages.length > 0);
  if (spoken.length === 0) {
    throw new CaptureError(`${path}: contains no WebSocket messages; record it with their content`);
  }
  const { creator = { name: 'HAR', version: '' }, startedAt, launch, releases = [] } = hars[0] ?? {};
  return { path, files: files.length, creator, startedAt, launch, releases, sockets: spoken };
}

type Log = Pick<Har, 'startedAt' | 'launch' | 'releases' | 'sockets'> & {
  readonly creator: Har['creator'] | undefined;
};

async function logOf(file: HarFile): Promise<Log> {
  const { path, text } = file;
  const { log } = check({ path, schema: harSchema, value: parse(path, text) });
  const sockets: HarSocket[] = [];
  for (const [index, entry] of log.entries.entries()) {
    if (!isSocket(entry)) continue;
    const socket = check({ path, schema: harSocketSchema, value: entry, at: `log.entries[${index}]` });
    sockets.push(await socketOf(file, socket));
  }
  const startedAt = dateOf(log.pages?.[0]?.startedDateTime);
  return {
    creator: log.creator,
    startedAt,
    launch: log[LAUNCH_FIELD],
    releases: log[RELEASES_FIELD] ?? [],
    sockets,
  };
}

async function socketOf(file: HarFile, entry: HarSocketEntry): Promise<HarSocket> {
  const startedAt = dateOf(entry.startedDateTime);
  const { time } = entry;
  const hasEnd = startedAt !== undefined && typeof time === 'number' && time >= 0;
  return {
    url: entry.request.url,
    startedAt,
    endedAt: hasEnd ? startedAt + time : undefined,
    messages: await messagesOf(file, entry),
    close: entry._webSocketClose ?? undefined,
  };
}

const isSocket = (entry: Readonly<Record<string, unknown>>): boolean =>
  entry._resourceType === 'websocket' || entry._webSocketMessages !== undefined;

function dateOf(text: string | undefined): number | undefined {
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? undefined : date;
}

/** Returns the messages in the entry, or those that Playwright attached: one per line, in a file in the HAR's folder. */
async function messagesOf({ path, beside }: HarFile, entry: HarSocketEntry): Promise<readonly HarMessage[]> {
  const file = entry.response?.content?._file;
  if (entry._webSocketMessages !== undefined || file === undefined) return entry._webSocketMessages ?? [];
  const name = normalize(file);
  if (name.startsWith('..') || name.startsWith('/')) {
    throw new CaptureError(
      `${path}: its messages are in ${file}, outside its folder; move that file beside it`,
    );
  }
  const attached = await beside(name);
  const lines = attached.text.split('\n').filter((line) => line !== '');
  return lines.map((line, i) => {
    const at = `${attached.path}:${i + 1}`;
    return check({ path: at, schema: harMessageSchema, value: parse(at, line) });
  });
}

function parse(path: string, text: string): unknown {
  if (text.trim() === '') throw new CaptureError(`${path}: is empty`);
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    throw new CaptureError(`${path}: is not JSON`, { cause: error });
  }
}

interface Checking<T> {
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly value: unknown;
  /** The place of the value in the file. */
  readonly at?: string;
}

function check<T>({ path, schema, value, at = '' }: Checking<T>): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const where = (issue?.path ?? []).reduce<string>((text, key) => text + stepTo(text, key), at);
  throw new CaptureError(
    `${path}: does not have the format of Chrome’s HARs: ${where || 'the document'}: ${issue?.message}`,
  );
}

function stepTo(text: string, key: PropertyKey): string {
  if (typeof key === 'number') return `[${key}]`;
  return text === '' ? String(key) : `.${String(key)}`;
}

/** The largest time that a `Date` can have, milliseconds. */
const LAST_TIME = 8.64e15;

/** One message of a WebSocket, as Chrome, mitmproxy and Playwright write it. */
const harMessageSchema = z.object({
  type: z.enum(['send', 'receive', 'error']),
  /** Seconds since the epoch, or milliseconds (Playwright); -1 when it is missing. */
  time: z
    .number()
    .max(LAST_TIME)
    .nullish()
    .transform((time) => time ?? -1),
  opcode: z.number(),
  data: z.string(),
  /** Our own field: the snapshot with which a capture begins in the middle of a session. */
  _synthetic: z.literal(true).optional(),
});

/** A WebSocket message of a HAR. */
export type HarMessage = z.infer<typeof harMessageSchema>;

/** Our own field of a HAR: the time of the session's launch, milliseconds since the start of the recording. */
export const LAUNCH_FIELD = '_parleyLaunch';

/** Our own field of a HAR: the session's late releases, which captures have as records. */
export const RELEASES_FIELD = '_parleyReleases';

const tickSchema = z.int().nonnegative().multipleOf(QUEUE_TICK_MS);

/** The parts of a HAR that are read. Other entries are not checked. */
const harSchema = z.object({
  log: z.object({
    creator: z.object({ name: z.string(), version: z.string() }).optional(),
    pages: z.array(z.object({ startedDateTime: z.string() })).optional(),
    entries: z.array(z.looseObject({})),
    [LAUNCH_FIELD]: z.number().min(0).max(LAST_TIME).optional(),
    [RELEASES_FIELD]: z
      .array(
        z.object({
          t: z.number().min(0).max(LAST_TIME),
          update: z.int(),
          due: tickSchema,
          tick: tickSchema,
        }),
      )
      .optional(),
  }),
});

/** How a socket closed, as HTTP Toolkit writes it: the close frame, if there was one. */
const closeSchema = z.union([
  z.literal('aborted'),
  z.object({
    code: z.number().nullish(),
    reason: z.string().nullish(),
    /** Seconds since the epoch; HTTP Toolkit writes the time since the start of its process here. */
    timestamp: z.number().nullish(),
  }),
]);
/** How a socket closed. */
export type HarClose = z.infer<typeof closeSchema>;

/** The entry of a WebSocket. */
const harSocketSchema = z.object({
  startedDateTime: z.string().optional(),
  /** The duration, milliseconds; -1 when it is unknown. */
  time: z.number().nullish(),
  request: z.object({ url: z.string() }),
  response: z.object({ content: z.object({ _file: z.string().optional() }).optional() }).optional(),
  _webSocketMessages: z.array(harMessageSchema).optional(),
  _webSocketClose: closeSchema.nullish(),
});

/** An entry of a HAR with WebSocket messages. */
type HarSocketEntry = z.infer<typeof harSocketSchema>;
