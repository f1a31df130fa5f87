import { stringify, unflatten } from 'devalue';
import * as z from 'zod/mini';
import { hasTooManyValues, isTooDeep } from '#shared/json.ts';

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
/** How a page shows its window; see `modules/hostWindow.ts` and `page/overlay.ts`. */
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

/** A value in devalue's flat form, and the long texts in it, which are sent beside it. */
interface Flat {
  readonly json: string;
  /** The long texts, one after the other; the flat form contains their places. */
  readonly texts: string;
}

/** A text of this length is sent as it is: to escape one for JSON and to parse it again takes longer than everything else. */
const LONG_TEXT = 4096;

const reducers = {
  Error(value: unknown) {
    // devalue calls this with every value before it encodes it.
    if (typeof value === 'string' && hasTooManyEscapes(value)) throw new RangeError('too much to escape');
    return value instanceof Error && [value.name, value.message, value.stack];
  },
};

/** V8 ends the process when one string needs more than 67,108,864 replacements. */
const MAX_ESCAPES = 32 * 1024 * 1024;

/** Returns whether devalue would escape more characters of a string than V8 can replace. */
function hasTooManyEscapes(text: string): boolean {
  if (text.length <= MAX_ESCAPES) return false;
  let escapes = 0;
  for (let i = 0; i < text.length && escapes <= MAX_ESCAPES; i++)
    if (isEscaped(text.charCodeAt(i))) escapes++;
  return escapes > MAX_ESCAPES;
}

/** Returns whether devalue escapes a character that JSON does not: `<` and the line separators. */
const isEscaped = (code: number) => code === 0x3c || code === 0x2028 || code === 0x2029;

/**
 * Encodes a value as devalue's flat form, as the structured clone does.
 * @throws {Error} `An object could not be cloned.`, as Electron does, for functions, symbols and other values without a clone.
 */
const flatten = (value: unknown): string => withClone(value, (plain) => stringify(plain, reducers));

/**
 * Encodes a value as {@link flatten} does, with its long texts beside it.
 * @throws {Error} as {@link flatten}.
 */
const flattenWithTexts = (value: unknown): Flat =>
  withClone(value, (plain) => {
    let texts = '';
    const Text = (text: unknown) => {
      // UTF-8 has no lone surrogates, JSON escapes them.
      if (typeof text !== 'string' || text.length < LONG_TEXT || !text.isWellFormed()) return false;
      const from = texts.length;
      texts += text;
      return [from, texts.length];
    };
    return { json: stringify(plain, { Text, ...reducers }), texts };
  });

/** Encodes a value. devalue accepts plain values only, so others (an instance, for example) are cloned first. */
function withClone<T>(value: unknown, encodeValue: (value: unknown) => T): T {
  try {
    return encodeValue(value);
  } catch {
    try {
      return encodeValue(structuredClone(value));
    } catch {
      throw new Error('An object could not be cloned.');
    }
  }
}

const errorPartsSchema = z.tuple([z.string(), z.string(), z.optional(z.string())]);
const placeSchema = z.tuple([z.number(), z.number()]);

const Error_ = (parts: unknown) => {
  const [name, message, stack] = errorPartsSchema.parse(parts);
  return Object.assign(new Error(message), { name, stack });
};

/**
 * Decodes a value.
 * @param texts the long texts that were sent beside it.
 * @throws {Error} for anything but a flat form.
 */
function unflattened(flat: unknown, texts = ''): unknown {
  if (typeof flat !== 'number' && !Array.isArray(flat)) throw new TypeError('Not a value of the bridge.');
  const Text = (place: unknown) => texts.slice(...placeSchema.parse(place));
  const value: unknown = unflatten(flat, { Error: Error_, Text });
  return value;
}

/** Maximum nesting of containers, with the argument list. No page sends more than 4 levels. */
const MAX_LEVELS = 32;
/** Maximum length of a date's text. */
const DATE_LENGTH = 40;
/** devalue's marks of values without an entry: from -1 (`undefined`) to -6 (-0). The mark of a sparse array, -7, is refused. */
const LAST_MARK = -6;

/**
 * Returns whether devalue can revive this flat form at a cost proportional to its length: a tree of JSON values, dates,
 * maps, sets and bytes. Refuses forms that cost more and that no page sends: sparse arrays (4,294,967,295 elements in 13
 * characters), a container that is referenced twice or contains itself, regular expressions, big integers, names such as
 * `__proto__`, and deep values.
 */
function isFlatTree(flat: unknown): flat is unknown[] {
  if (!Array.isArray(flat) || flat.length === 0) return false;
  const entries: readonly unknown[] = flat;
  const seen = new Set<number>();
  const isTree = (index: unknown, level: number): boolean => {
    if (!Number.isInteger(index) || typeof index !== 'number' || index >= entries.length) return false;
    if (index < 0) return index >= LAST_MARK;
    const entry = entries[index];
    if (typeof entry !== 'object' || entry === null) return true;
    if (seen.has(index) || level > MAX_LEVELS) return false;
    seen.add(index);
    return referencesOf(entry)?.every((reference) => isTree(reference, level + 1)) ?? false;
  };
  return isTree(0, 1);
}

/** Returns the references of a container; `undefined` for a container that no page sends. */
function referencesOf(entry: object): readonly unknown[] | undefined {
  if (!Array.isArray(entry)) return Object.hasOwn(entry, '__proto__') ? undefined : Object.values(entry);
  const [type, ...rest]: readonly unknown[] = entry;
  if (typeof type !== 'string') return entry;
  const [first] = rest;
  switch (type) {
    case 'Date':
      return typeof first === 'string' && first.length <= DATE_LENGTH ? [] : undefined;
    case 'ArrayBuffer':
      return typeof first === 'string' ? [] : undefined;
    case 'Uint8Array':
      return [first];
    case 'Map':
      return rest.length % 2 === 0 ? rest : undefined;
    case 'Set':
      return rest;
    default:
      return undefined;
  }
}

/** The path at which a page opens the bridge; no other path upgrades. */
export const BRIDGE_PATH = '/-/bridge';

/** The WebSocket protocol that the host selects. */
export const BRIDGE_PROTOCOL = 'parley-bridge';

/**
 * Returns the protocols that a page offers. They contain the page's secret, because a browser's WebSocket has no other
 * header that the page can set, and an address would be logged and stored.
 */
export const bridgeProtocols = (pageSecret: string | null): string[] =>
  pageSecret === null ? [BRIDGE_PROTOCOL] : [BRIDGE_PROTOCOL, pageSecret];

/** The path at which an open page is recognized again, also by a host that was started again. */
export const RESUME_PATH = '/-/resume';

/** What both sides prove to each other that they know: the key that the host gave to the page over the bridge. */
interface Exchange {
  /** A page of another port is another page, so a server there cannot pass proofs on. */
  readonly port: number;
  /** Random text of the page. */
  readonly nonce: string;
  /** Random text of the host. */
  readonly challenge: string;
}

/** Returns the text whose HMAC (SHA-256, in hexadecimal) with the key proves that a side knows it. */
export const proofText = (side: 'host' | 'page', { port, nonce, challenge }: Exchange): string =>
  JSON.stringify([side, port, nonce, challenge]);
