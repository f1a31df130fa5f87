import { type JsonObject, isJsonObject } from '../isJsonObject.ts';
import { FRAME_DEPTH, FRAME_VALUES } from '../limits.ts';
import { tryParseJson } from '../tryParseJson.ts';
import { hasProtoKey } from './hasProtoKey.ts';
import { hasTooManyValues } from './hasTooManyValues.ts';
import { isTooDeep } from './isTooDeep.ts';
import { DISCRIMINATORS, type Update, type UpdateKind } from './update.ts';

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

/** Returns the path from a value to its first field of the wrong type, or `undefined`. Does not use zod: this is a hot path. */
type Check = (value: unknown) => string | undefined;

// A missing field is valid.
const isString = (value: unknown) => value === undefined || typeof value === 'string';
const isBoolean = (value: unknown) => value === undefined || typeof value === 'boolean';
const isStringOrNull = (value: unknown) => value === null || isString(value);

/** Returns the path of an own property with the wrong type, or `undefined`. */
const fault = (frame: JsonObject, name: string, isRight: boolean): string | undefined =>
  isRight || !Object.hasOwn(frame, name) ? undefined : `.${name}`;

function faultInList(frame: JsonObject, name: string, check: Check): string | undefined {
  const list = Object.hasOwn(frame, name) ? frame[name] : [];
  if (!Array.isArray(list)) return `.${name}`;
  for (let i = 0; i < list.length; i++) {
    const wrong = check(list[i]);
    if (wrong !== undefined) return `.${name}[${i}]${wrong}`;
  }
  return undefined;
}

const contentItem: Check = (item) =>
  isJsonObject(item)
    ? (fault(item, 'category', isString(item.category)) ??
      fault(item, 'text', isStringOrNull(item.text)) ??
      fault(item, 'html', isStringOrNull(item.html)) ??
      fault(item, 'blob', isStringOrNull(item.blob)))
    : '';

const message: Check = (frame) =>
  isJsonObject(frame)
    ? (fault(frame, 'modifier', isString(frame.modifier)) ??
      fault(frame, 'id', isString(frame.id)) ??
      faultInList(frame, 'content', contentItem) ??
      fault(frame, 'context', isString(frame.context)) ??
      fault(frame, 'avatar', isString(frame.avatar)) ??
      fault(frame, 'seen', isBoolean(frame.seen)))
    : '';

const CHECKS: Readonly<Record<UpdateKind, (frame: JsonObject) => string | undefined>> = {
  snapshot: (frame) =>
    fault(frame, 'person', isString(frame.person)) ?? faultInList(frame, 'messages', message),
  name: (frame) => fault(frame, 'name', isString(frame.name)),
  message,
  content: contentItem,
  context: (frame) => fault(frame, 'context', isString(frame.context)),
  text: (frame) => fault(frame, 'text', isStringOrNull(frame.text)),
  notification: () => undefined,
};

const rejected = (reason: FrameError['reason'], where?: string): FrameError =>
  where === undefined ? { kind: 'rejected', reason } : { kind: 'rejected', reason, where };

/**
 * Decodes a frame; returns an update, or the reason why the frame is rejected. This is the only function that parses frames, so every
 * field of an update has its type (spec §6.1, contract §5).
 * @param text the frame, or `null` for a binary frame, which is rejected.
 */
export function decodeUpdate(text: string | null): Update | FrameError {
  if (text === null) return rejected('notText');
  if (isTooDeep(text, FRAME_DEPTH)) return rejected('tooDeep');
  if (hasTooManyValues(text, FRAME_VALUES)) return rejected('tooManyValues');
  const frame = tryParseJson(text);
  if (frame === undefined) return rejected('notJson');
  if (!isJsonObject(frame)) return rejected('notAnObject');
  if (hasProtoKey(text, frame)) return rejected('protoKey');
  const kind = kindOf(frame);
  const wrong = CHECKS[kind](frame);
  if (wrong !== undefined) return rejected('wrongType', wrong.slice(1));
  // The check of this kind has just validated every field of the type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { kind, frame } as Update;
}

function kindOf(frame: JsonObject): UpdateKind {
  for (const [kind, field] of DISCRIMINATORS) if (Object.hasOwn(frame, field)) return kind;
  return 'notification';
}
