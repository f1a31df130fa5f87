import * as z from 'zod/mini';
import { hasTooManyValues } from '#shared/protocol/hasTooManyValues.ts';
import { isTooDeep } from '#shared/protocol/isTooDeep.ts';
import { flatten, flattenWithTexts, unflattened } from './flatten.ts';
import { isFlatTree } from './isFlatTree.ts';

/**
 * The bridge: the messages between a page and the host over their one WebSocket. A frame is a message as JSON; values in it have devalue's
 * flat form. Long texts to a page follow the JSON, which has no line breaks, after a line break, as they are.
 */

/** The messages of a page. `show`: the overlay's button (open again, or restore). `shortcut`: it was pressed. */
const toHostSchema = z.union([
  z.tuple([z.literal('send'), z.string(), z.unknown()]),
  z.tuple([z.literal('invoke'), z.number(), z.string(), z.unknown()]),
  z.tuple([z.literal('loaded')]),
  z.tuple([z.literal('focus'), z.boolean()]),
  z.tuple([z.literal('show')]),
  z.tuple([z.literal('shortcut'), z.string()]),
  z.tuple([z.literal('copied'), z.number(), z.boolean()]),
  z.tuple([z.literal('notification'), z.number(), z.enum(['show', 'click', 'close'])]),
]);

/**
 * The messages of the host. `host` is the first, identifies this run, and contains the key with which the page is recognized again; `tray`: the page's title and icon; `shortcuts`: the
 * global shortcuts; `open`: open a tab with this path and name.
 */
const toPageSchema = z.union([
  z.tuple([z.literal('send'), z.string(), z.unknown()]),
  z.tuple([z.literal('answer'), z.number(), z.unknown()]),
  z.tuple([z.literal('refusal'), z.number(), z.string()]),
  z.tuple([z.literal('host'), z.string(), z.string()]),
  z.tuple([z.literal('window'), z.enum(['shown', 'hidden', 'minimized', 'closed', 'refused'])]),
  z.tuple([z.literal('tray'), z.nullable(z.string()), z.nullable(z.string())]),
  z.tuple([z.literal('notify'), z.number(), z.string(), z.string()]),
  z.tuple([z.literal('dismiss'), z.number()]),
  z.tuple([z.literal('open'), z.string(), z.string()]),
  z.tuple([z.literal('copy'), z.number(), z.string()]),
  z.tuple([z.literal('shortcuts'), z.array(z.string())]),
]);

type RawToHost = z.infer<typeof toHostSchema>;
type RawToPage = z.infer<typeof toPageSchema>;
type With<Arguments extends 'send' | 'invoke'> = {
  send: ['send', string, unknown[]];
  invoke: ['invoke', number, string, unknown[]];
}[Arguments];

/** The messages with decoded values. */
export type ToHost = With<'send' | 'invoke'> | Exclude<RawToHost, ['send' | 'invoke', ...unknown[]]>;
/** The messages of the host, with decoded values. */
export type ToPage = With<'send'> | Exclude<RawToPage, ['send', ...unknown[]]>;
/** How a page shows its window; see `modules/window.ts` and `page/overlay.ts`. */
export type WindowState = Extract<ToPage, ['window', ...unknown[]]>[1];

/** The socket between a page and the host, as far as the bridge uses it. */
export interface BridgeSocket {
  isOpen(): boolean;
  send(frame: string): void;
}

/** A frame: a message that was encoded when it was sent. Later changes to a value are not included. */
export type Encoded = string & { readonly encoded: unique symbol };

/** Maximum size of a frame from a page, in bytes: several times the message of the largest file. */
export const PAGE_FRAME_BYTES = 16 * 1024 * 1024;
/** Maximum nesting of a frame from a page: a message with a flat value, which is a list of containers. */
const PAGE_FRAME_LEVELS = 3;
/** Maximum number of values and keys in a frame from a page: more would block main while they are parsed. */
const PAGE_FRAME_VALUES = 50_000;
/** Maximum number of arguments of one message from a page. */
const MAX_ARGUMENTS = 16;

const asEncoded = (json: string): json is Encoded => json.length > 0;

function encoded(json: string): Encoded {
  if (!asEncoded(json)) throw new TypeError('A message of the bridge is never empty.');
  return json;
}

/** Encodes a message without a value. */
export function encode(message: ToHost | ToPage): Encoded {
  return encoded(JSON.stringify(message));
}

/**
 * Encodes a message that ends in a value, as the structured clone does.
 * @throws {Error} `An object could not be cloned.`, as Electron does, for functions, symbols and other values without a clone.
 */
export function encodeWith(head: readonly (string | number)[], value: unknown): Encoded {
  return encoded(withValue(head, flatten(value)));
}

/**
 * Encodes a message to a page that ends in a value, as {@link encodeWith} does.
 * @throws {Error} as {@link encodeWith}.
 */
export function encodeForPage(head: readonly (string | number)[], value: unknown): Encoded {
  const { json, texts } = flattenWithTexts(value);
  const message = withValue(head, json);
  return encoded(texts === '' ? message : `${message}${TEXTS}${texts}`);
}

/** The start of the texts in a frame. */
const TEXTS = '\n';

const withValue = (head: readonly (string | number)[], flat: string): string =>
  `${JSON.stringify(head).slice(0, -1)},${flat}]`;

function unflattenedList(flat: unknown, texts?: string): unknown[] {
  const value = unflattened(flat, texts);
  if (!Array.isArray(value)) throw new TypeError('Not a list of arguments.');
  return value;
}

/** Decodes a page's arguments. They are validated before they are revived: `isFlatTree` says why. */
function argumentsOf(flat: unknown): unknown[] {
  if (!isFlatTree(flat)) throw new TypeError('Not a value that a page sends.');
  const list = unflattenedList(flat);
  if (list.length > MAX_ARGUMENTS) throw new TypeError('More arguments than a page sends.');
  return list;
}

/**
 * Decodes a frame from a page.
 * @throws {Error} for a frame that no page sends.
 */
export function readFromPage(frame: string): ToHost {
  if (isTooDeep(frame, PAGE_FRAME_LEVELS)) throw new TypeError('Nested deeper than a page sends.');
  if (hasTooManyValues(frame, PAGE_FRAME_VALUES)) throw new TypeError('More values than a page sends.');
  const message = toHostSchema.parse(JSON.parse(frame));
  if (message[0] === 'send') return [message[0], message[1], argumentsOf(message[2])];
  if (message[0] === 'invoke') return [message[0], message[1], message[2], argumentsOf(message[3])];
  return message;
}

/**
 * Decodes a frame from the host.
 * @throws {Error} for a frame that no host sends.
 */
export function readFromHost(frame: string): ToPage {
  const end = frame.indexOf(TEXTS);
  const json = end === -1 ? frame : frame.slice(0, end);
  const texts = end === -1 ? '' : frame.slice(end + TEXTS.length);
  const message = toPageSchema.parse(JSON.parse(json));
  if (message[0] === 'send') return [message[0], message[1], unflattenedList(message[2], texts)];
  if (message[0] === 'answer') return [message[0], message[1], unflattened(message[2], texts)];
  return message;
}
