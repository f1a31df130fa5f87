import { type JsonObject, isJsonObject } from '../isJsonObject.ts';
import { FRAME_DEPTH, FRAME_VALUES } from '../limits.ts';
import { tryParseJson } from '../tryParseJson.ts';
import { hasProtoKey } from './hasProtoKey.ts';
import { hasTooManyValues } from './hasTooManyValues.ts';
import { isTooDeep } from './isTooDeep.ts';
import { DISCRIMINATORS, type Update, type UpdateKind } from './update.ts';

/** Why a frame is no update. `where` is the path of the field whose type is wrong; it never holds a value. */
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

/** Why a frame was not taken; one over the socket's limit never reaches the decoder. */
export type RejectReason = FrameError['reason'] | 'tooLarge';

/** The path from a value to the first field of a wrong type, or `undefined`. Written out by hand: this is the hot path. */
type Check = (value: unknown) => string | undefined;

// A missing field has every type.
const isString = (value: unknown) => value === undefined || typeof value === 'string';
const isBoolean = (value: unknown) => value === undefined || typeof value === 'boolean';
const isStringOrNull = (value: unknown) => value === null || isString(value);

/** The path of a field that has a wrong type, unless every object inherits it. */
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
 * One frame as it came, to an update or the reason why it is none. The only place that parses frames:
 * behind it every field has its type. A frame that is not text (`null`) is rejected too.
 *
 * Source: spec §6.1, contract §5.
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
  // The kind's check has just seen every field that the type names.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { kind, frame } as Update;
}

function kindOf(frame: JsonObject): UpdateKind {
  for (const [kind, field] of DISCRIMINATORS) if (Object.hasOwn(frame, field)) return kind;
  return 'notification';
}
