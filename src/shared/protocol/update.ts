import {
  type JsonObject,
  isJsonObject,
  tryParseJson,
  hasProtoKey,
  hasTooManyValues,
  isTooDeep,
} from '../json.ts';
import { FRAME_DEPTH, FRAME_VALUES } from '../limits.ts';

/**
 * The types of the platform's updates (spec §6.1) and of their contents (§2.4–2.6), as decoded: a missing field stays missing and counts
 * as empty, and unknown fields are kept.
 */

/** A content item (spec §2.4). `category` is `text`, `audio`, `html` or `image`; any other is a downloadable file. */
export interface ContentItem {
  readonly category?: string;
  readonly text?: string | null;
  readonly html?: string | null;
  /** Base64. */
  readonly blob?: string | null;
  /** What the text is (contract §9): `markdown` or `reasoning`. With any other value, it is text as any other. */
  readonly format?: unknown;
}

/** A message (spec §2.5). `modifier` is `ai`, `client` or `admin`. */
export interface Message {
  readonly id?: string;
  readonly modifier?: string;
  readonly content?: readonly ContentItem[];
  readonly context?: string;
  /** Base64 PNG, or empty. */
  readonly avatar?: string;
  readonly seen?: boolean;
}

/** A snapshot of the conversation (spec §2.6). */
export interface Snapshot {
  readonly person: string;
  readonly messages?: readonly Message[];
}

/** An update: its kind and the complete frame. The kinds are in the order of spec §6.1. */
export type Update =
  | { readonly kind: 'snapshot'; readonly frame: Snapshot }
  | { readonly kind: 'name'; readonly frame: { readonly name: string } }
  | { readonly kind: 'message'; readonly frame: Message }
  | { readonly kind: 'content'; readonly frame: ContentItem }
  | { readonly kind: 'context'; readonly frame: { readonly context: string } }
  | { readonly kind: 'text'; readonly frame: { readonly text: string | null } }
  | { readonly kind: 'notification'; readonly frame: object };

/** The kind of an update. */
export type UpdateKind = Update['kind'];

/** The field whose presence determines each kind, in the order of spec §6.1. A frame without these fields is a notification. */
const FIELDS = {
  snapshot: 'person',
  name: 'name',
  message: 'modifier',
  content: 'category',
  context: 'context',
  text: 'text',
} as const satisfies Readonly<Record<Exclude<UpdateKind, 'notification'>, string>>;

/** The kinds that are determined by a field, each with its field, in the order of spec §6.1. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries of the constant above
export const DISCRIMINATORS = Object.entries(FIELDS) as readonly (readonly [UpdateKind, string])[];

/** Why a frame is rejected. `where` is the path of the field with the wrong type; it contains no values. */
export interface FrameError {
  readonly kind: 'rejected';
  readonly reason:
    | 'notText'
    | 'tooDeep'
    | 'tooManyValues'
    | 'notJson'
    | 'notAnObject'
    | 'protoKey'
    | 'wrongType';
  readonly where?: string;
}

/** Why a frame is rejected, including `tooLarge`: the socket rejects such a frame before the decoder. */
export type RejectReason = FrameError['reason'] | 'tooLarge';

/**
 * Returns the path from a value to its first field of the wrong type, or `undefined`. Replaces values that count as others: a `null` by an
 * empty value, a number as `id` by its decimal text (contract §5). The frame has just been parsed, so it has no other owner. Does not
 * use zod: this is a hot path.
 */
type Check = (value: unknown) => string | undefined;

/** Accepts a text, or a `null`, which becomes an empty text. A missing field is valid. */
function text(frame: JsonObject, name: string, value: unknown): string | undefined {
  if (typeof value === 'string' || value === undefined) return undefined;
  return value === null ? replace(frame, name, '') : fault(frame, name);
}

/** Accepts a text or `null`, which stays. */
const textOrNull = (frame: JsonObject, name: string, value: unknown): string | undefined =>
  typeof value === 'string' || value === undefined || value === null ? undefined : fault(frame, name);

const identifier = (frame: JsonObject, name: string, value: unknown): string | undefined =>
  typeof value === 'number' ? replace(frame, name, String(value)) : text(frame, name, value);

function flag(frame: JsonObject, name: string, value: unknown): string | undefined {
  if (typeof value === 'boolean' || value === undefined) return undefined;
  return value === null ? replace(frame, name, false) : fault(frame, name);
}

function list(frame: JsonObject, name: string, check: Check): string | undefined {
  const items = Object.hasOwn(frame, name) ? frame[name] : [];
  if (items === null) return replace(frame, name, []);
  if (!Array.isArray(items)) return `.${name}`;
  for (let i = 0; i < items.length; i++) {
    const wrong = check(items[i]);
    if (wrong !== undefined) return `.${name}[${i}]${wrong}`;
  }
  return undefined;
}

/** Returns the path of a field. An inherited property is none. */
const fault = (frame: JsonObject, name: string): string | undefined =>
  Object.hasOwn(frame, name) ? `.${name}` : undefined;

function replace(frame: JsonObject, name: string, value: unknown): undefined {
  if (Object.hasOwn(frame, name)) Object.assign(frame, { [name]: value });
}

const contentItem: Check = (item) =>
  isJsonObject(item)
    ? (text(item, 'category', item.category) ??
      textOrNull(item, 'text', item.text) ??
      textOrNull(item, 'html', item.html) ??
      textOrNull(item, 'blob', item.blob))
    : '';

const message: Check = (frame) =>
  isJsonObject(frame)
    ? (text(frame, 'modifier', frame.modifier) ??
      identifier(frame, 'id', frame.id) ??
      list(frame, 'content', contentItem) ??
      text(frame, 'context', frame.context) ??
      text(frame, 'avatar', frame.avatar) ??
      flag(frame, 'seen', frame.seen))
    : '';

const CHECKS: Readonly<Record<UpdateKind, (frame: JsonObject) => string | undefined>> = {
  snapshot: (frame) => text(frame, 'person', frame.person) ?? list(frame, 'messages', message),
  name: (frame) => text(frame, 'name', frame.name),
  message,
  content: contentItem,
  context: (frame) => text(frame, 'context', frame.context),
  text: (frame) => textOrNull(frame, 'text', frame.text),
  notification: () => undefined,
};

const rejected = (reason: FrameError['reason'], where?: string): FrameError =>
  where === undefined ? { kind: 'rejected', reason } : { kind: 'rejected', reason, where };

/**
 * Decodes a frame; returns an update, or the reason why the frame is rejected. This is the only function that parses frames, so every
 * field of an update has its type (spec §6.1, contract §5).
 * @param data the frame, or `null` for a binary frame, which is rejected.
 */
export function decodeUpdate(data: string | null): Update | FrameError {
  if (data === null) return rejected('notText');
  if (isTooDeep(data, FRAME_DEPTH)) return rejected('tooDeep');
  if (hasTooManyValues(data, FRAME_VALUES)) return rejected('tooManyValues');
  const frame = tryParseJson(data);
  if (frame === undefined) return rejected('notJson');
  if (!isJsonObject(frame)) return rejected('notAnObject');
  if (hasProtoKey(data, frame)) return rejected('protoKey');
  const kind = kindOf(frame);
  const wrong = CHECKS[kind](frame);
  if (wrong !== undefined) return rejected('wrongType', wrong.slice(1));
  // The check of this kind has just validated every field of the type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { kind, frame } as Update;
}

/** Returns the kind of a frame: that of its first discriminator, in the order of spec §6.1. */
export function kindOf(frame: JsonObject): UpdateKind {
  for (const [kind, field] of DISCRIMINATORS) if (Object.hasOwn(frame, field)) return kind;
  return 'notification';
}
