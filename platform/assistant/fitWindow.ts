import type { ChatContent, ChatMessage } from '../endpoint/endpoint.ts';
import type { ShortenedFile } from './markedMessage.ts';
import type { Turn, TurnPart } from './readQuestion.ts';

/** The context window of a model whose endpoint does not give it, in tokens. */
const DEFAULT_WINDOW = 32_000;
/** The most tokens of the window that are kept for the answer; a quarter of a small window. */
const ANSWER_TOKENS = 4096;
/** What a picture uses in most models. */
const IMAGE_TOKENS = 1200;
/** What the role and the limits of a message use. */
const MESSAGE_TOKENS = 8;
/** The newest turns that precede the newest file: the question, and the turns to which it may refer. */
const RECENT_TURNS = 5;

/** Returns the tokens of a context window (`null`: not known) that the conversation may use. */
export function contextBudget(window: number | null): number {
  const tokens = window ?? DEFAULT_WINDOW;
  return tokens - Math.min(Math.floor(tokens / 4), ANSWER_TOKENS);
}

/** The conversation as the endpoint gets it. */
export interface FittedContext {
  readonly messages: readonly ChatMessage[];
  /** Whether earlier messages are left out. */
  readonly isCut: boolean;
  /** Whether the question itself is not complete. */
  readonly isClipped: boolean;
  /** The files of these messages that are not complete, oldest first. */
  readonly shortened: readonly ShortenedFile[];
  /** The estimated tokens of its turns. */
  readonly tokens: number;
}

/** The options of `fitWindow`. */
interface FitOptions {
  readonly prompt: string;
  /** In tokens. */
  readonly budget: number;
  /** The number of newest turns that are shortened instead of left out. */
  readonly needed: number;
}

/**
 * Selects the newest turns that fit into the budget. The text of a file is shortened rather than left out: first come the newest turns without
 * their files, then the newest file with all that is left, then the other files of these turns, then earlier turns.
 */
export function fitWindow(turns: readonly Turn[], { prompt, budget, needed }: FitOptions): FittedContext {
  const whole = budget - estimateTokens(prompt) - MESSAGE_TOKENS;
  const newest = turns.findLast(({ parts }) => parts.some(isFile));
  const room = new Room(whole);
  const newestFirst = turns.toReversed();
  const recent = newestFirst.slice(0, Math.max(needed, RECENT_TURNS));
  for (const [index, turn] of recent.slice(0, needed).entries()) {
    // A needed turn leaves something for the needed turn before it, or for the file.
    const isLast = index + 1 === needed && newest === undefined;
    room.squeeze(turn, isLast ? room.left : Math.floor((room.left * 3) / 4));
  }
  const { isClipped } = room;
  const reserved = newest === undefined ? 0 : Math.min(costOf(newest), Math.floor(room.left / 2));
  const hasRoom = recent.slice(needed).every((turn) => room.keep(turn, room.left - reserved));
  if (newest !== undefined) {
    room.squeeze(newest, room.left);
    room.fillIn(newest);
  }
  for (const turn of recent) room.fillIn(turn);
  for (const turn of hasRoom ? newestFirst.slice(recent.length) : []) {
    if (!room.keep(turn, room.left)) break;
    room.fillIn(turn);
  }

  const all = turns.filter((turn) => room.kept.has(turn));
  const first = all.findIndex(({ role }) => role === 'user');
  const selected = all.length <= needed ? all : all.slice(Math.max(0, first));
  const sent = selected.map((turn) => room.kept.get(turn) ?? turn);
  const system: ChatMessage = { role: 'system', content: prompt };
  return {
    messages: [system, ...merge(sent).map(toChatMessage)],
    isCut: selected.length < turns.length,
    isClipped,
    shortened: selected.flatMap((turn, index) => shortenedFiles(turn, sent[index] ?? turn)),
    tokens: whole - room.left,
  };
}

/** The room for turns, in tokens. A turn is kept without the texts of its files at first. */
class Room {
  /** The turns that are kept, as they are sent. */
  readonly kept = new Map<Turn, Turn>();
  readonly #filled = new Set<Turn>();
  /** Whether a turn was shortened. */
  isClipped = false;

  constructor(public left: number) {}

  /** Keeps a turn that fits into the limit; returns whether it does. */
  keep(turn: Turn, limit: number): boolean {
    const fits = this.kept.has(turn) || costOf(withoutTexts(turn)) <= limit;
    if (fits) this.squeeze(turn, limit);
    return fits;
  }

  /** Keeps a turn, shortened to the limit when it does not fit. */
  squeeze(turn: Turn, limit: number): void {
    if (this.kept.has(turn)) return;
    const bare = withoutTexts(turn);
    const cost = costOf(bare);
    this.isClipped ||= cost > limit;
    this.kept.set(turn, cost > limit ? clip(bare, limit) : bare);
    this.left -= Math.min(cost, limit);
  }

  /** Fills in the texts of a kept turn's files, as far as there is room. */
  fillIn(turn: Turn): void {
    const bare = this.kept.get(turn);
    if (bare === undefined || this.#filled.has(turn)) return;
    this.#filled.add(turn);
    const parts = bare.parts.map((part, index): TurnPart => {
      const complete = turn.parts[index];
      if (part.kind !== 'file' || complete?.kind !== 'file') return part;
      const text = firstTokens(complete.text, this.left);
      this.left -= estimateTokens(text);
      return { ...part, text };
    });
    this.kept.set(turn, { ...bare, parts });
  }
}

const isFile = ({ kind }: TurnPart): boolean => kind === 'file';

/** Returns a turn with empty files. */
const withoutTexts = ({ role, parts }: Turn): Turn => ({
  role,
  parts: parts.map((part) => (part.kind === 'file' ? { ...part, text: '' } : part)),
});

const shortenedFiles = ({ parts }: Turn, sent: Turn): readonly ShortenedFile[] =>
  parts.flatMap((part, index) => {
    const other = sent.parts[index];
    if (part.kind !== 'file' || other?.kind !== 'file' || other.text === part.text) return [];
    return { name: part.name, sent: other.text.length, of: part.text.length };
  });

/** Returns a part as the model reads it. */
const textOf = (part: Exclude<TurnPart, { kind: 'image' }>): string =>
  part.kind === 'text' ? part.text : `File “${part.name}”:\n\n${part.text}`;

const partCost = (part: TurnPart) => (part.kind === 'image' ? IMAGE_TOKENS : estimateTokens(textOf(part)));

const costOf = ({ parts }: Turn): number => parts.reduce((sum, part) => sum + partCost(part), MESSAGE_TOKENS);

/** Shortens the texts of a turn: a question keeps its beginning, an answer to continue keeps its end. */
function clip({ role, parts }: Turn, tokens: number): Turn {
  let left = Math.max(0, tokens - MESSAGE_TOKENS);
  const shorten = role === 'user' ? firstTokens : lastTokens;
  const clipped = parts.map((part): TurnPart => {
    if (part.kind !== 'text') return part;
    const text = shorten(part.text, left);
    left = Math.max(0, left - estimateTokens(text));
    return { kind: 'text', text };
  });
  return { role, parts: clipped };
}

/** Joins neighbours of one role: some models accept only messages whose roles alternate. */
function merge(turns: readonly Turn[]): readonly Turn[] {
  const merged: Turn[] = [];
  for (const turn of turns) {
    const last = merged.at(-1);
    if (last?.role === turn.role) merged.splice(-1, 1, { ...last, parts: [...last.parts, ...turn.parts] });
    else merged.push(turn);
  }
  return merged;
}

function toChatMessage({ role, parts }: Turn): ChatMessage {
  const texts = parts.flatMap((part) => (part.kind === 'image' ? [] : [textOf(part)]));
  if (texts.length === parts.length) return { role, content: texts.join('\n\n') };
  const content = parts.map((part): ChatContent =>
    part.kind === 'image'
      ? { type: 'image_url', image_url: { url: part.url } }
      : { type: 'text', text: textOf(part) },
  );
  return { role, content };
}

/** Code points below this are letters of the Latin script, digits and signs: three of them count as a token. */
const OTHER_SCRIPTS = 0x250;
const THIRDS = 3;

/** Returns the cost of a character in thirds of a token: whole numbers have no rounding errors. */
const thirdsOf = (character: string) => ((character.codePointAt(0) ?? 0) < OTHER_SCRIPTS ? 1 : THIRDS);

function countThirds(text: string): number {
  let thirds = 0;
  for (const character of text) thirds += thirdsOf(character);
  return thirds;
}

/**
 * Estimates the tokens of a text. Every model counts in its own way: this is more than most of them count, so that a text that
 * fits here fits there.
 */
export const estimateTokens = (text: string): number => Math.ceil(countThirds(text) / THIRDS);

/** Returns the longest beginning of a text that has at most this many tokens. */
export function firstTokens(text: string, limit: number): string {
  let thirds = 0;
  let length = 0;
  for (const character of text) {
    thirds += thirdsOf(character);
    if (thirds > limit * THIRDS) break;
    length += character.length;
  }
  return text.slice(0, length);
}

/** Returns the longest end of a text that has at most this many tokens. */
export function lastTokens(text: string, limit: number): string {
  let excess = countThirds(text) - limit * THIRDS;
  let from = 0;
  for (const character of text) {
    if (excess <= 0) break;
    excess -= thirdsOf(character);
    from += character.length;
  }
  return text.slice(from);
}
