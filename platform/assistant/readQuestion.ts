import { extname } from 'node:path';
import type { ContentItem, Message } from '#shared/protocol/update.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { AnswerPlace, NewId } from './assistant.ts';
import { readAssistantWord } from './controlWords.ts';
import { type MarkedMessage, canContinue, isAnswer, isForeign, notice, sourceOf } from './markedMessage.ts';

import { currentTopic, isDivider } from './topics.ts';

/** The conversation for the model, or a sentence for the person. */
type Question =
  | { readonly turns: readonly Turn[]; readonly needed: number; readonly refusal?: never }
  | { readonly refusal: string; readonly turns?: never };

/** The options of `readQuestion`. */
interface QuestionOptions {
  readonly task: Task;
  readonly place: AnswerPlace;
  readonly endpoint: Endpoint;
  readonly newId: NewId;
  readonly signal: AbortSignal;
}

const CONTINUE: Turn = {
  role: 'user',
  parts: [
    {
      kind: 'text',
      text: 'Continue your last answer exactly where it stopped. Repeat nothing, and do not mention the interruption.',
    },
  ],
};

const NOTHING_HEARD = 'I heard no words in the recording. Record it again, or write.';

/**
 * Reads the question of a task. A recording is turned into text, which the person sees as the recording's text.
 * @throws {EndpointError}
 */
export async function readQuestion(options: QuestionOptions): Promise<Question> {
  const { continues } = options.task;
  const messages = withoutReplaced(options.task.messages);
  if (continues) return { turns: [...readTurns(messages), CONTINUE], needed: 3 };
  const asked = messagesOfQuestion(messages);
  const [question] = asked;
  const item = question?.content?.[0];
  const refusals = asked.flatMap(({ content }) => (content?.[0] && refusalOf(content[0])) ?? []);
  const needed = Math.max(1, asked.length - refusals.length);
  if (item?.category === 'audio' && (item.text ?? '') === '') {
    const { endpoint, signal } = options;
    const audio = Buffer.from(item.blob ?? '', 'base64');
    const heard = (await endpoint.transcribe(audio, signal)).trim();
    if (heard === '') return { refusal: NOTHING_HEARD };
    showHeard(heard, options);
    const known = { ...question, content: [{ ...item, text: heard }] };
    return { turns: readTurns([...messages.slice(0, -1), known]), needed };
  }
  const [refusal] = refusals;
  if (refusal !== undefined && refusals.length === asked.length) return { refusal };
  return { turns: readTurns(messages), needed };
}

/** Returns the messages without the questions that were edited, and without what followed each until it was sent again. */
function withoutReplaced(messages: readonly MarkedMessage[]): readonly MarkedMessage[] {
  const kept: MarkedMessage[] = [];
  for (const message of messages) {
    const { replaces } = message;
    const at = replaces === undefined ? -1 : kept.findLastIndex(({ id }) => id === replaces);
    if (at !== -1) kept.length = at;
    kept.push(message);
  }
  return kept;
}

/** Returns the last message of the person and the files that were sent with it, newest first. */
function messagesOfQuestion(messages: readonly MarkedMessage[]): readonly MarkedMessage[] {
  const found: MarkedMessage[] = [];
  for (const message of messages.toReversed()) {
    if (isAnswer(message) || isForeign(message) || isDivider(message)) break;
    if (!isQuestion(message)) continue;
    if (found.length > 0 && !isAttachment(message.content?.[0])) break;
    found.push(message);
  }
  return found;
}

/** What a person sends, or has sent. */
type Sent = Pick<ContentItem, 'category' | 'text' | 'blob'>;

const isAttachment = (item: Sent | undefined): boolean =>
  item?.category === 'file' || item?.category === 'image';

/** Returns why the model gets nothing of a file, in a sentence for the person; `null` for everything that it can get. */
export function refusalOf(item: Sent): string | null {
  if (!isAttachment(item)) return null;
  const file = readAttachment(item.text ?? '', item.blob ?? '');
  return file.kind === 'refused' ? file.sentence : null;
}

/** Shows the words of a recording: as its text if it is the newest message, which is all that an update can change. */
function showHeard(text: string, { task, place, newId }: QuestionOptions): void {
  if (place.messages().at(-1)?.id === task.messages.at(-1)?.id) place.send({ text });
  else place.send(notice(newId, `I heard: “${text}”`, { heard: text }));
}

/** A part of what one side said. */
export type TurnPart =
  | { readonly kind: 'text'; readonly text: string }
  /** A text file. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'image'; readonly name: string; readonly url: string };

/** What one side said in one message. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly TurnPart[];
}

/**
 * Returns what the person and the model said in this topic, oldest first. Left out are the word `usage`, notices, reasoning, what cannot be read,
 * an answer that was asked for again, the words of a question that failed and was not asked again, and everything before another assistant's last message.
 */
export function readTurns(messages: readonly MarkedMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  let hasFailed = false;
  const start = messages.findLastIndex((message) => isForeign(message) || isDivider(message)) + 1;
  for (const message of messages.slice(start)) {
    if (message.another === true) while (turns.at(-1)?.role === 'assistant') turns.pop();
    if (hasFailed && isQuestion(message)) while (isOfWords(turns.at(-1))) turns.pop();
    hasFailed = message.failed === true || (hasFailed && !isQuestion(message) && !isAnswer(message));
    const turn = readTurn(message);
    if (turn !== null) turns.push(turn);
  }
  return turns;
}

/** Returns whether a turn is of the person and has neither a file nor a picture. */
const isOfWords = (turn: Turn | undefined): boolean =>
  turn?.role === 'user' && turn.parts.every(({ kind }) => kind === 'text');

function readTurn(message: MarkedMessage): Turn | null {
  if (message.modifier === 'client') return isQuestion(message) ? turnOf('user', readSaid(message)) : null;
  if (isAnswer(message)) return turnOf('assistant', [textPart(sourceOf(message))]);
  return turnOf('user', [textPart(message.heard ?? '')]);
}

const textPart = (text: string): TurnPart => ({ kind: 'text', text });

function turnOf(role: Turn['role'], parts: readonly TurnPart[]): Turn | null {
  const filled = parts.filter((part) => part.kind !== 'text' || part.text !== '');
  return filled.length === 0 ? null : { role, parts: filled };
}

/** Reads the person's message. */
const readSaid = ({ content = [] }: Message): readonly TurnPart[] =>
  content.flatMap((item) => readItem(item) ?? []);

function readItem({ category, text, blob }: ContentItem): TurnPart | null {
  const words = text ?? '';
  if (category === 'text' || category === 'audio') return textPart(words);
  const file = readAttachment(words, blob ?? '');
  if (file.kind === 'image') return { ...file, name: words };
  return file.kind === 'text' ? { kind: 'file', name: words, text: file.text } : null;
}

/** What the model is to answer: the last message is the question, or the answer to continue. */
export interface Task {
  readonly messages: readonly MarkedMessage[];
  readonly continues: boolean;
  /** Whether the answer replaces those before it. */
  readonly isAnother?: boolean;
}

/** Returns whether a message of the person is for the model. */
const isQuestion = ({ modifier, content }: Message): boolean =>
  modifier === 'client' &&
  !(content?.[0]?.category === 'text' && readAssistantWord(content[0].text) === 'usage');

/** Returns the last question of this topic, without what came after it; `null` when there is none. */
export function findQuestion(messages: readonly MarkedMessage[]): Task | null {
  const topic = currentTopic(messages);
  const at = topic.findLastIndex(isQuestion);
  return at === -1 ? null : { messages: topic.slice(0, at + 1), continues: false, isAnother: true };
}

/**
 * Returns the last answer of this topic if it was stopped or cut off, or a question without an answer; `null` when there is neither.
 */
export function findUnfinished(messages: readonly MarkedMessage[]): Task | null {
  const topic = currentTopic(messages);
  const at = topic.findLastIndex((message) => isQuestion(message) || isAnswer(message));
  const last = topic[at];
  if (last === undefined) return null;
  if (isQuestion(last)) return findQuestion(topic);
  return canContinue(last) ? { messages: topic.slice(0, at + 1), continues: true } : null;
}

/** What the model gets of a file: its text, a picture, or nothing. */
type Attachment =
  | { readonly kind: 'text'; readonly text: string }
  /** A `data:` URL. */
  | { readonly kind: 'image'; readonly url: string }
  /** A sentence for the person. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** The pictures that endpoints accept, by the bytes at their beginning. */
const IMAGES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\u{89}PNG\r\n/u],
  ['image/jpeg', /^\u{ff}\u{d8}\u{ff}/u],
  ['image/gif', /^GIF8[79]a/u],
  ['image/webp', /^RIFF.{4}WEBP/su],
];

/** Formats that can consist of text only, and still mean nothing to a model. */
const NOT_TEXT = new Set(['.pdf', '.ps', '.eps', '.rtf']);
// oxlint-disable-next-line no-control-regex -- text files contain none of these
const CONTROL = /[\u{0}-\u{8}\u{e}-\u{1a}\u{1c}-\u{1f}]/u;

/** Reads a file that the person has sent. The bytes decide, because a message contains no media type. */
export function readAttachment(name: string, blob: string): Attachment {
  const bytes = Buffer.from(blob, 'base64');
  const head = bytes.toString('latin1', 0, 16);
  const image = IMAGES.find(([, signature]) => signature.test(head));
  if (image !== undefined) return { kind: 'image', url: `data:${image[0]};base64,${blob}` };
  const text = NOT_TEXT.has(extname(name).toLowerCase()) ? null : decodeText(bytes);
  if (text === null) return { kind: 'refused', sentence: unreadable(name) };
  return { kind: 'text', text };
}

const unreadable = (name: string) =>
  `I cannot read “${name}”. Send a text file, or a picture as PNG, JPEG, GIF or WebP.`;

/** Returns the text of valid UTF-8 without control characters, or `null`. */
function decodeText(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return CONTROL.test(text) ? null : text;
  } catch {
    return null;
  }
}
