import type { Message } from '#shared/protocol/update.ts';
import type { NewId } from './assistant.ts';
import { readAssistantWord } from './controlWords.ts';

/** What the button of a notice does (contract §9). */
type NoticeAction = 'settings' | 'connect' | 'again' | 'continue' | 'cancel';

/** A text file of which the model gets only the beginning. */
export interface ShortenedFile {
  readonly name: string;
  /** The characters that the model gets, and those of the whole text. */
  readonly sent: number;
  readonly of: number;
}

/**
 * A message of the model's assistant has a field of its own, so that its answers can be told from other messages when the
 * context is built. Clients keep fields that they do not know.
 */
export interface MarkedMessage extends Message {
  /** The model that wrote this answer; empty when it was not known yet. */
  readonly model?: string;
  /** The platform says this, not the model. */
  readonly notice?: boolean;
  /** The button of a notice (contract §9). */
  readonly action?: NoticeAction;
  /** The words of an earlier recording, which were heard later. */
  readonly heard?: string;
  /** The platform says that the question before has failed. */
  readonly failed?: boolean;
  /** This answer replaces the answers before it: the person has asked for another one. */
  readonly another?: boolean;
  /** The id of an earlier question: the model gets this message in place of it and of what followed it. */
  readonly replaces?: string;
  /** A line across the conversation: the model gets only what is after the newest one. */
  readonly divider?: boolean;
  /** The file of which the model gets only a part, as this notice says. */
  readonly shortened?: ShortenedFile;
}

/** The endings of the label of an answer that has ended before its end (contract §9). Clients offer their buttons by them. */
const CUT = ' · cut off';
const STOPPED = ' · stopped';

/** Returns the label of an answer that the person has stopped. */
export const stoppedLabel = (name: string): string => `${name}${STOPPED}`;

/** Returns the label of an answer that was cut off. */
export const cutLabel = (name: string): string => `${name}${CUT}`;

/** Returns whether a label says that its answer runs. */
export const saysItRuns = (label: string | undefined): boolean => label?.endsWith('…') === true;

/** Returns the name in the label of an answer that runs. */
export const nameInLabel = (label = ''): string => label.replace(/ is (?!.* is ).*…$/u, '');

/** Returns whether an answer has ended before its end. */
export const canContinue = ({ context = '' }: Message): boolean =>
  context.endsWith(STOPPED) || context.endsWith(CUT) || saysItRuns(context);

/** Returns whether a message is an answer of a model. */
export const isAnswer = (message: MarkedMessage): boolean => message.model !== undefined;

/** Returns the Markdown of an answer, as the model wrote it: without its reasoning. */
export const sourceOf = ({ content = [] }: Message): string =>
  content.map(({ format, text }) => (format === 'markdown' ? (text ?? '') : '')).join('');

/** Returns whether a message is of another assistant: what was said before it belongs to another conversation. */
export const isForeign = (message: MarkedMessage): boolean =>
  message.modifier === 'ai' && !isAnswer(message) && message.notice !== true;

/** Returns a notice (contract §9): a message in which the platform, not the model, says something. */
export const notice = (newId: NewId, text: string, fields: Partial<MarkedMessage> = {}): MarkedMessage => ({
  id: newId(),
  modifier: 'admin',
  content: [{ category: 'text', text, html: null, blob: null }],
  context: '',
  avatar: '',
  seen: true,
  notice: true,
  ...fields,
});

/** Returns a message with the time at which the platform sends it (contract §9). */
export const timed = <T extends object>(message: T, now: () => number): T & { readonly time: string } => ({
  ...message,
  time: new Date(now()).toISOString(),
});

/** What the platform says once, when the conversation is longer than the model's context window. */
const EARLIER = 'Earlier messages are no longer sent to the assistant.';

/** Returns the notice about the cut; `null` when the conversation has it. */
export const cutNotice = (newId: NewId, messages: readonly MarkedMessage[]): MarkedMessage | null =>
  messages.some(({ modifier, content }) => modifier === 'admin' && content?.[0]?.text === EARLIER)
    ? null
    : notice(newId, EARLIER);

const NUMBERS = new Intl.NumberFormat('en-US');

/**
 * Returns the notice about a file of which the model gets only the beginning; `null` when the conversation says it already: of the
 * same text, with no more than a tenth less.
 */
export function shortenedNotice(
  newId: NewId,
  messages: readonly MarkedMessage[],
  file: ShortenedFile,
): MarkedMessage | null {
  const { name, sent, of } = file;
  const known = messages.findLast((message) => message.shortened?.name === name)?.shortened;
  if (known?.of === of && sent > known.sent * 0.9 && sent <= known.sent * 1.1) return null;
  const text =
    sent === 0
      ? `The model did not get the text of “${name}”: the newer messages fill its context window.`
      : `The model got the first ${NUMBERS.format(sent)} of ${NUMBERS.format(of)} characters of “${name}”.`;
  return notice(newId, text, { shortened: file });
}

const CUT_OFF = 'The answer was cut off before it began. Send “again” to ask again.';

/** Returns the message that stands for an answer that was cut off before its first text. */
export const cutOffNotice = (newId: NewId): MarkedMessage => notice(newId, CUT_OFF, { action: 'again' });

const STOPPED_EARLY = 'The answer was stopped before it began. Send “again” to ask again.';

/** Returns the message that stands for an answer that was stopped before its first text. */
export const stoppedNotice = (newId: NewId): MarkedMessage =>
  notice(newId, STOPPED_EARLY, { action: 'again' });

/** The words that need no answer of the model. */
const NEEDS_NONE: ReadonlySet<string | null> = new Set(['stop', 'usage']);

/**
 * Returns what to say in a conversation that is opened and whose question the model has not answered, because the platform was
 * killed; `null` for any other conversation, also for one that has only the greeting of the demonstration.
 */
export function unansweredNotice(newId: NewId, messages: readonly MarkedMessage[]): MarkedMessage | null {
  const newest = messages.at(-1);
  if (newest?.modifier !== 'client' || NEEDS_NONE.has(readAssistantWord(newest.content?.[0]?.text)))
    return null;
  const before = messages.findLast(
    ({ modifier, notice: isNotice, action }) =>
      modifier === 'ai' || (isNotice === true && action !== 'connect'),
  );
  return before === undefined || isForeign(before) ? null : cutOffNotice(newId);
}
