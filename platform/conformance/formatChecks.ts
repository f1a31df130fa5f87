import type { ContentItem, Message } from '#shared/protocol/update.ts';
import type { ObservedSocket } from './observedSocket.ts';
import { type Check, OK, type Outcome, type Subject, failed, notTested } from './subject.ts';
import { itemsOf, messagesOf } from './frameChecks.ts';

/** The checks of the fields of answers (contract §9), which a platform need not have. */
export const formatChecks: readonly Check[] = [
  {
    id: 'format',
    row: 'contract §9 format',
    checks: 'an item with a format is a text, and its format is one that clients know',
    run: (subject) =>
      expectAll(itemsOf(subject).filter(hasFormat), isFormatted, [
        'another format',
        'a `text` that is `markdown` or `reasoning`',
      ]),
  },
  {
    id: 'growth',
    row: 'contract §9 cut',
    checks: 'the text of an item with a format only grows, and ends before it has more than 4,000 characters',
    run: expectGrowth,
  },
  {
    id: 'notices',
    row: 'contract §9 notice',
    checks: 'a notice is a message of `admin` with one text, and with a button that clients know, or none',
    run: (subject) =>
      expectAll(messagesOf(subject).filter(isMarked('notice')), isNotice, [
        'another notice',
        'one text of `admin`, an empty label, and as `action` `settings`, `connect`, `again`, `continue` or `cancel`',
      ]),
  },
  {
    id: 'dividers',
    row: 'contract §9 divider',
    checks: 'a divider is a message of `admin` with one text',
    run: (subject) =>
      expectAll(messagesOf(subject).filter(isMarked('divider')), hasOneText, [
        'another divider',
        'one text of `admin`',
      ]),
  },
  {
    id: 'times',
    row: 'contract §9 time',
    checks: 'the time of a message is in UTC, with milliseconds',
    run: (subject) =>
      expectAll(messagesOf(subject).flatMap(timeOf), isTime, [
        'another time',
        'a text such as `2026-11-20T09:00:00.000Z`',
      ]),
  },
];

function expectAll<T>(
  found: readonly T[],
  isRight: (value: T) => boolean,
  [seen, expected]: readonly [string, string],
): Outcome {
  if (found.length === 0) return notTested('the platform sent none');
  return found.every(isRight) ? OK : failed(seen, expected);
}

const hasFormat = ({ format }: ContentItem): boolean => format !== undefined;

const isFormatted = ({ category, text, format }: ContentItem): boolean =>
  category === 'text' && typeof text === 'string' && (format === 'markdown' || format === 'reasoning');

const isMarked = (field: 'notice' | 'divider') => (message: object) => Reflect.get(message, field) === true;

const hasOneText = ({ modifier, content = [] }: Message): boolean =>
  modifier === 'admin' && content.length === 1 && content[0]?.category === 'text';

const ACTIONS: ReadonlySet<unknown> = new Set([
  undefined,
  'settings',
  'connect',
  'again',
  'continue',
  'cancel',
]);

const isNotice = (message: Message): boolean =>
  hasOneText(message) && (message.context ?? '') === '' && ACTIONS.has(Reflect.get(message, 'action'));

const timeOf = (message: object): readonly unknown[] => ('time' in message ? [message.time] : []);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isTime = (time: unknown): boolean => typeof time === 'string' && TIME.test(time);

/** Maximum length of a text that is sent again (contract §9 cut). */
const LONGEST = 4000;

function expectGrowth({ sockets }: Subject): Outcome {
  const texts = sockets.flatMap(growingTexts);
  if (texts.length === 0) return notTested('no text of an item with a format was sent again');
  if (texts.some(({ before, after }) => !after.startsWith(before)))
    return failed('a text that does not begin with what was sent', 'a cut adds and loses no character');
  return texts.every(({ after }) => after.length <= LONGEST)
    ? OK
    : failed('a longer text that is sent again', 'another item after about 2,000 characters');
}

/** Returns the texts that replaced the text of an item with a format, each with the text before it. */
function growingTexts({ frames }: ObservedSocket) {
  let last: ContentItem | undefined;
  return frames.flatMap(({ update }) => {
    if (update.kind === 'message') last = update.frame.content?.at(-1);
    else if (update.kind === 'snapshot') last = update.frame.messages?.at(-1)?.content?.at(-1);
    else if (update.kind === 'content') last = update.frame;
    if (update.kind !== 'text' || last === undefined || !hasFormat(last)) return [];
    const texts = { before: last.text ?? '', after: update.frame.text ?? '' };
    last = { ...last, text: texts.after };
    return [texts];
  });
}
