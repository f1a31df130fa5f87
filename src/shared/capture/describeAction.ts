import { ACTIONS } from '../actions/actionTable.ts';
import { betweenCharacters, clip } from '../formatText.ts';
import { isJsonObject } from '../json.ts';

/** An action as a capture contains it. */
interface RecordedAction {
  readonly type: string;
  readonly payload?: unknown;
}

/** What a recorded action was. */
interface Described {
  /** Its contents on one line; empty when it has none. */
  readonly text: string;
  /** The field whose text it edits. */
  readonly field?: string;
}

/** The maximum length of a text, in UTF-16 units. */
const MAX_TEXT = 48;
/** The number of units of a longer text that are kept at its end: what an edit adds is there. */
const END = 20;

const EDITED = /\/edited$/u;

/** Describes what a recorded action contains: its text, its message as a path of the state, and its other fields by name. */
export function describeAction({ type, payload }: RecordedAction): Described {
  const field = EDITED.test(type) ? { field: type.replace(EDITED, '') } : {};
  return { text: isJsonObject(payload) ? describeFields(payload).join(', ') : '', ...field };
}

function describeFields({ text, message, item, ...others }: Readonly<Record<string, unknown>>): string[] {
  const path = typeof message === 'number' ? [pathOf(message, item)] : [];
  return [
    ...(typeof text === 'string' ? [quote(text)] : []),
    ...path,
    ...Object.entries(others).map(([name, value]) => `${name}: ${describeValue(value)}`),
  ];
}

const pathOf = (message: number, item: unknown): string =>
  `messages[${message}]${typeof item === 'number' ? `.content[${item}]` : ''}`;

function describeValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.length}]`;
  return isJsonObject(value) ? `{${describeFields(value).join(', ')}}` : String(value);
}

const quote = (text: string): string => JSON.stringify(shorten(text));

const shorten = (text: string): string =>
  text.length <= MAX_TEXT
    ? text
    : `${clip(text, MAX_TEXT - END - 1)}${text.slice(betweenCharacters(text, text.length - END))}`;

/** Says why a replay would not take an action; `undefined` when it is one of the recorded actions and has their payload. */
export function actionError({ type, payload }: RecordedAction): string | undefined {
  const entry = Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined;
  if (entry === undefined) return `There is no action ${JSON.stringify(type)}.`;
  if (entry.recorded === null) return `A capture does not contain ${type}.`;
  const [issue] = entry.payload.safeParse(payload).error?.issues ?? [];
  if (issue === undefined) return undefined;
  return `The payload of ${type} is not valid${issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`}: ${issue.message}.`;
}
