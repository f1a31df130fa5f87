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

/** `undefined` when the value fits, else the path from it to the first that does not. Built only on failure: this is the hot path. */
type Check = (value: unknown) => string | undefined;

const isString: Check = (value) => (typeof value === 'string' ? undefined : '');
const isBoolean: Check = (value) => (typeof value === 'boolean' ? undefined : '');
const isStringOrNull: Check = (value) => (typeof value === 'string' || value === null ? undefined : '');

const listOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return '';
    for (let i = 0; i < value.length; i++) {
      const wrong = check(value[i]);
      if (wrong !== undefined) return `[${i}]${wrong}`;
    }
    return undefined;
  };

/** An object whose own fields pass where they stand. */
function fields(checks: Readonly<Record<string, Check>>): Check {
  const entries = Object.entries(checks);
  return (value) => {
    if (!isJsonObject(value)) return '';
    for (const [name, check] of entries) {
      if (!Object.hasOwn(value, name)) continue;
      const wrong = check(value[name]);
      if (wrong !== undefined) return `.${name}${wrong}`;
    }
    return undefined;
  };
}

const contentItem = fields({
  category: isString,
  text: isStringOrNull,
  html: isStringOrNull,
  blob: isStringOrNull,
});
const message = fields({
  modifier: isString,
  id: isString,
  content: listOf(contentItem),
  context: isString,
  avatar: isString,
  seen: isBoolean,
});

const CHECKS: Readonly<Record<UpdateKind, Check>> = {
  snapshot: fields({ person: isString, messages: listOf(message) }),
  name: fields({ name: isString }),
  message,
  content: contentItem,
  context: fields({ context: isString }),
  text: fields({ text: isStringOrNull }),
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
  for (const [field, kind] of DISCRIMINATORS) if (Object.hasOwn(frame, field)) return kind;
  return 'notification';
}
