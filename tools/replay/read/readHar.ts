import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { z } from 'zod';
import { CaptureError } from './captureError.ts';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { readObjectText } from '../s3/readObject.ts';
import { isS3Url } from '../s3/s3Url.ts';
import { STDIN, captureName, openStdin } from './stdin.ts';
import { withoutByteOrderMark } from './withoutByteOrderMark.ts';
import {
  type HarMessage,
  type HarSocketEntry,
  LAUNCH_FIELD,
  harMessageSchema,
  harSchema,
  harSocketSchema,
} from './harSchema.ts';

/** A WebSocket of a HAR, with its messages. */
export interface HarSocket {
  readonly url: string;
  /** The beginning of the entry, milliseconds since the epoch, if known. */
  readonly startedAt: number | undefined;
  readonly messages: readonly HarMessage[];
}

/** The WebSockets of a HAR. */
export interface Har {
  readonly path: string;
  readonly creator: { readonly name: string; readonly version: string };
  /** The beginning of the first page, milliseconds since the epoch, if known. */
  readonly startedAt: number | undefined;
  /** The launch of the session in a HAR that Parley wrote, milliseconds since `startedAt`. */
  readonly launch: number | undefined;
  /** The sockets with messages, in the HAR's order; at least one. */
  readonly sockets: readonly HarSocket[];
}

const ZIP = 'PK\u0003\u0004';

/**
 * Reads a HAR (`-` is stdin), with the separate files in which Playwright attaches messages.
 * @throws {CaptureError} when the file cannot be read, is not a HAR, or has no WebSocket messages.
 */
export async function readHar(given: string, text?: string): Promise<Har> {
  const path = captureName(given);
  const { log } = check({ path, schema: harSchema, value: parse(path, text ?? (await harText(given))) });
  const sockets: HarSocket[] = [];
  for (const [index, entry] of log.entries.entries()) {
    if (!isSocket(entry)) continue;
    const socket = check({ path, schema: harSocketSchema, value: entry, at: `log.entries[${index}]` });
    const messages = await messagesOf(path, socket);
    sockets.push({ url: socket.request.url, startedAt: dateOf(socket.startedDateTime), messages });
  }
  const [any] = sockets;
  if (any === undefined) throw new CaptureError(`${path}: contains no WebSocket`);
  const spoken = sockets.filter(({ messages }) => messages.length > 0);
  if (spoken.length === 0) {
    throw new CaptureError(`${path}: contains no WebSocket messages; record it with their content`);
  }
  const creator = log.creator ?? { name: 'HAR', version: '' };
  const startedAt = dateOf(log.pages?.[0]?.startedDateTime);
  return { path, creator, startedAt, launch: log[LAUNCH_FIELD], sockets: spoken };
}

const isSocket = (entry: Readonly<Record<string, unknown>>): boolean =>
  entry._resourceType === 'websocket' || entry._webSocketMessages !== undefined;

function dateOf(text: string | undefined): number | undefined {
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? undefined : date;
}

async function harText(given: string): Promise<string> {
  if (given !== STDIN) return textOf(given);
  try {
    const { stream, isZipped } = await openStdin();
    const bytes = await buffer(stream);
    return (isZipped ? gunzipSync(bytes) : bytes).toString();
  } catch (error) {
    throw new CaptureError(`${captureName(given)}: ${readErrorReason(error)}`, { cause: error });
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await (isS3Url(path) ? readObjectText(path) : readFile(path, 'utf8'));
  } catch (error) {
    throw new CaptureError(`${path}: ${readErrorReason(error)}`, { cause: error });
  }
}

/** Returns the messages in the entry, or those that Playwright attached: one per line, in a file in the HAR's folder. */
async function messagesOf(path: string, entry: HarSocketEntry): Promise<readonly HarMessage[]> {
  const file = entry.response?.content?._file;
  if (entry._webSocketMessages !== undefined || file === undefined) return entry._webSocketMessages ?? [];
  const name = normalize(file);
  if (name.startsWith('..') || name.startsWith('/')) {
    throw new CaptureError(
      `${path}: its messages are in ${file}, outside its folder; move that file beside it`,
    );
  }
  const attached = join(dirname(path), name);
  const lines = (await textOf(attached)).split('\n').filter((line) => line !== '');
  return lines.map((line, i) => {
    const at = `${attached}:${i + 1}`;
    return check({ path: at, schema: harMessageSchema, value: parse(at, line) });
  });
}

function parse(path: string, text: string): unknown {
  if (text.startsWith(ZIP)) throw new CaptureError(`${path}: is zipped; unzip it and give the .har inside`);
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
