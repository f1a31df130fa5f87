import { asCounted } from './asCounted.ts';

/**
 * An independent implementation of spec §6.1 without product code: folds frames into mutable lists. Slow and simple, for
 * comparison with the product's fold.
 */

type Fields = Record<string, unknown>;

/** The result of `foldFrames`. */
interface Folded {
  person: unknown;
  messages: Fields[];
  /** The number of frames that are not updates. */
  rejected: number;
}

const ORDER = ['person', 'name', 'modifier', 'category', 'context', 'text'];

/** Folds frames, one after the other. */
export function foldFrames(frames: readonly (string | null)[]): Folded {
  const folded: Folded = { person: null, messages: [], rejected: 0 };
  for (const text of frames) {
    const frame = asCounted(objectOf(text));
    if (!isObject(frame) || !isWellFormed(frame)) folded.rejected += 1;
    else apply(folded, frame);
  }
  return folded;
}

function objectOf(text: string | null): Fields | undefined {
  if (text === null) return undefined;
  try {
    let hasProto = false;
    const value: unknown = JSON.parse(text, (key, field: unknown) => {
      hasProto ||= key === '__proto__';
      return field;
    });
    return isObject(value) && !hasProto ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (frame: Fields) => ORDER.find((field) => Object.hasOwn(frame, field));

/** Checks the fields that each kind reads. */
function isWellFormed(frame: Fields): boolean {
  switch (kindOf(frame)) {
    case 'person':
      return (
        typeof frame.person === 'string' && isAbsentOr(frame, 'messages', (list) => allOf(list, isMessage))
      );
    case 'modifier':
      return isMessage(frame);
    case 'category':
      return isContent(frame);
    case 'text':
      return isText(frame.text);
    case 'name':
      return typeof frame.name === 'string';
    case 'context':
      return typeof frame.context === 'string';
    case undefined:
    default:
      return true;
  }
}

const isAbsentOr = (frame: Fields, field: string, fits: (value: unknown) => boolean) =>
  !Object.hasOwn(frame, field) || fits(frame[field]);
const allOf = (list: unknown, fits: (value: unknown) => boolean) => Array.isArray(list) && list.every(fits);
const isString = (value: unknown) => typeof value === 'string';
const isText = (value: unknown) => value === null || typeof value === 'string';

const isContent = (value: unknown): boolean =>
  isObject(value) &&
  isAbsentOr(value, 'category', isString) &&
  ['text', 'html', 'blob'].every((field) => isAbsentOr(value, field, isText));

const isMessage = (value: unknown): boolean =>
  isObject(value) &&
  ['id', 'modifier', 'context', 'avatar'].every((field) => isAbsentOr(value, field, isString)) &&
  isAbsentOr(value, 'seen', (seen) => typeof seen === 'boolean') &&
  isAbsentOr(value, 'content', (list) => allOf(list, isContent));

function apply(folded: Folded, frame: Fields): void {
  const current = folded.messages.at(-1);
  switch (kindOf(frame)) {
    case 'person':
      folded.person = frame.person;
      folded.messages = listOf(frame.messages);
      return;
    case 'name':
      folded.person = frame.name;
      return;
    case 'modifier':
      folded.messages.push(frame);
      return;
    case 'category':
      if (current) current.content = [...listOf(current.content), frame];
      return;
    case 'context':
      if (current) current.context = frame.context;
      return;
    case 'text': {
      const item = listOf(current?.content).at(-1);
      if (item) item.text = frame.text;
      return;
    }
    case undefined:
    default:
  }
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
