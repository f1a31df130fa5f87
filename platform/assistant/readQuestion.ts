import { extname } from 'node:path';
import type { ContentItem, Message } from '#shared/protocol/update.ts';
import type { Endpoint } from '../endpoint/endpoint.ts';
import type { AnswerPlace, NewId } from './assistant.ts';
import {
  type MarkedMessage,
  canContinue,
  isAnswer,
  isForeign,
  notice,
  readAssistantWord,
  sourceOf,
} from './markedMessage.ts';

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
  const { messages, continues } = options.task;
  if (continues) return { turns: [...readTurns(messages), CONTINUE], needed: 3 };
  const question = messages.at(-1);
  const item = question?.content?.[0];
  if (question === undefined || item === undefined) return { turns: readTurns(messages), needed: 1 };
  if (item.category === 'audio' && (item.text ?? '') === '') {
    const { endpoint, signal } = options;
    const audio = Buffer.from(item.blob ?? '', 'base64');
    const heard = (await endpoint.transcribe(audio, signal)).trim();
    if (heard === '') return { refusal: NOTHING_HEARD };
    showHeard(heard, options);
    const known = { ...question, content: [{ ...item, text: heard }] };
    return { turns: readTurns([...messages.slice(0, -1), known]), needed: 1 };
  }
  const refusal = refusalOf(item);
  return refusal === null ? { turns: readTurns(messages), needed: 1 } : { refusal };
}

function refusalOf({ category, text, blob }: ContentItem): string | null {
  if (category !== 'file' && category !== 'image') return null;
  const file = readAttachment(text ?? '', blob ?? '');
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
 * Returns what the person and the model said, oldest first. The words that control the assistant are left out, and so are
 * notices, reasoning, what cannot be read, an answer that was asked for again, the words of a question that failed, and everything before another assistant's
 * last message.
 */
export function readTurns(messages: readonly MarkedMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages.slice(messages.findLastIndex(isForeign) + 1)) {
    if (isAnother(message)) while (turns.at(-1)?.role === 'assistant') turns.pop();
    if (message.failed === true) while (isOfWords(turns.at(-1))) turns.pop();
    const turn = readTurn(message);
    if (turn !== null) turns.push(turn);
  }
  return turns;
}

/** Returns whether a turn is of the person and has neither a file nor a picture. */
const isOfWords = (turn: Turn | undefined): boolean =>
  turn?.role === 'user' && turn.parts.every(({ kind }) => kind === 'text');

/** Returns whether a message is one of the person's words. */
const isWord = ({ modifier, content }: Message): boolean =>
  modifier === 'client' && content?.[0]?.category === 'text' && readAssistantWord(content[0].text) !== null;

const isAnother = (message: Message) =>
  isWord(message) && readAssistantWord(message.content?.[0]?.text) === 'again';

function readTurn(message: MarkedMessage): Turn | null {
  if (message.modifier === 'client') return isWord(message) ? null : turnOf('user', readSaid(message));
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
}

const isQuestion = (message: MarkedMessage) => message.modifier === 'client' && !isWord(message);

/** Returns the last question, without what came after it; `null` when there is none. */
export function findQuestion(messages: readonly MarkedMessage[]): Task | null {
  const at = messages.findLastIndex(isQuestion);
  return at === -1 ? null : { messages: messages.slice(0, at + 1), continues: false };
}

/** Returns the last answer if it was stopped or cut off, or a question without an answer; `null` when there is neither. */
export function findUnfinished(messages: readonly MarkedMessage[]): Task | null {
  const at = messages.findLastIndex((message) => isQuestion(message) || isAnswer(message));
  const last = messages[at];
  if (last === undefined) return null;
  if (isQuestion(last)) return findQuestion(messages);
  return canContinue(last) ? { messages: messages.slice(0, at + 1), continues: true } : null;
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
