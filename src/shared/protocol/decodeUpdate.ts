import { DISCRIMINATORS, type Update, type UpdateKind } from './update.ts';

/** Why a frame is no update. `where` is the path of the field whose type is wrong; it never holds a value. */
export interface FrameError {
  readonly kind: 'rejected';
  readonly reason: 'notText' | 'notJson' | 'notAnObject' | 'wrongType';
  readonly where?: string;
}

/** Why a frame was not taken; one over the socket's limit never reaches the decoder. */
export type RejectReason = FrameError['reason'] | 'tooLarge';

type Fields = Readonly<Record<string, unknown>>;
/** `undefined` when the value fits, else the path from it to the first that does not. Built only on failure: this is the hot path. */
type Check = (value: unknown) => string | undefined;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
    if (!isFields(value)) return '';
    for (const [name, check] of entries) {
      const field = value[name];
      if (field === undefined) continue;
      const wrong = check(field);
      if (wrong !== undefined && Object.hasOwn(value, name)) return `.${name}${wrong}`;
    }
    return undefined;
  };
}


const isText = (v: unknown) => v === undefined || typeof v === 'string';
const isTextOrNull = (v: unknown) => v === undefined || v === null || typeof v === 'string';
const contentItem: Check = (value) => {
  if (!isFields(value)) return '';
  const { category, text, html, blob } = value;
  if (!isText(category)) return '.category';
  if (!isTextOrNull(text)) return '.text';
  if (!isTextOrNull(html)) return '.html';
  if (!isTextOrNull(blob)) return '.blob';
  return undefined;
};
const listC = listOf(contentItem);
const message: Check = (value) => {
  if (!isFields(value)) return '';
  const { modifier, id, content, context, avatar, seen } = value;
  if (!isText(modifier)) return '.modifier';
  if (!isText(id)) return '.id';
  if (!isText(context)) return '.context';
  if (!isText(avatar)) return '.avatar';
  if (seen !== undefined && typeof seen !== 'boolean') return '.seen';
  if (content === undefined) return undefined;
  const w = listC(content);
  return w === undefined ? undefined : '.content' + w;
};
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * One frame as it came, to an update or the reason why it is none. The only place that parses frames:
 * behind it every field has its type. A frame that is not text (`null`) is rejected too.
 *
 * Source: spec §6.1, contract §5.
 */
export function decodeUpdate(text: string | null): Update | FrameError {
  if (text === null) return rejected('notText');
  const frame = parse(text);
  if (frame === undefined) return rejected('notJson');
  if (!isFields(frame)) return rejected('notAnObject');
  const kind = kindOf(frame);
  const wrong = CHECKS[kind](frame);
  if (wrong !== undefined) return rejected('wrongType', wrong.slice(1));
  // The kind's check has just seen every field that the type names.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { kind, frame } as Update;
}

function kindOf(frame: Fields): UpdateKind {
  if (frame.person !== undefined && Object.hasOwn(frame,'person')) return 'snapshot';
  if (frame.name !== undefined && Object.hasOwn(frame,'name')) return 'name';
  if (frame.modifier !== undefined && Object.hasOwn(frame,'modifier')) return 'message';
  if (frame.category !== undefined && Object.hasOwn(frame,'category')) return 'content';
  if (frame.context !== undefined && Object.hasOwn(frame,'context')) return 'context';
  if (frame.text !== undefined && Object.hasOwn(frame,'text')) return 'text';
  return 'notification';
}
