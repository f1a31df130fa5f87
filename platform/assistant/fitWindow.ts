import type { ChatContent, ChatMessage } from '../endpoint/endpoint.ts';
import type { Turn, TurnPart } from './readQuestion.ts';

/** The context window of a model whose endpoint does not give it, in tokens. */
const DEFAULT_WINDOW = 8192;
/** The most tokens of the window that are kept for the answer; a quarter of a small window. */
const ANSWER_TOKENS = 4096;
/** What a picture uses in most models. */
const IMAGE_TOKENS = 1200;
/** What the role and the limits of a message use. */
const MESSAGE_TOKENS = 8;

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

/** Selects the newest turns that fit into the budget. */
export function fitWindow(turns: readonly Turn[], { prompt, budget, needed }: FitOptions): FittedContext {
  const whole = budget - estimateTokens(prompt) - MESSAGE_TOKENS;
  let left = whole;
  let isClipped = false;
  const kept: Turn[] = [];
  for (const turn of turns.toReversed()) {
    const isNeeded = kept.length < needed;
    // A needed turn leaves something for the needed turn before it.
    const limit = kept.length + 1 < needed ? Math.floor((left * 3) / 4) : left;
    const cost = costOf(turn);
    if (cost > limit && !isNeeded) break;
    if (cost > limit) isClipped = true;
    kept.unshift(cost > limit ? clip(turn, limit) : turn);
    left -= Math.min(cost, limit);
  }
  const first = kept.findIndex(({ role }) => role === 'user');
  const selected = kept.length <= needed ? kept : kept.slice(Math.max(0, first));
  const system: ChatMessage = { role: 'system', content: prompt };
  return {
    messages: [system, ...merge(selected).map(toChatMessage)],
    isCut: selected.length < turns.length,
    isClipped,
    tokens: whole - left,
  };
}

const partCost = (part: TurnPart) => (part.kind === 'image' ? IMAGE_TOKENS : estimateTokens(part.text));

const costOf = ({ parts }: Turn): number => parts.reduce((sum, part) => sum + partCost(part), MESSAGE_TOKENS);

/** Shortens the texts of a turn: a question keeps its beginning, an answer to continue keeps its end. */
function clip({ role, parts }: Turn, tokens: number): Turn {
  let left = Math.max(0, tokens - MESSAGE_TOKENS);
  const shorten = role === 'user' ? firstTokens : lastTokens;
  const clipped = parts.map((part): TurnPart => {
    if (part.kind === 'image') return part;
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
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  if (texts.length === parts.length) return { role, content: texts.join('\n\n') };
  const content = parts.map((part): ChatContent =>
    part.kind === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: part.url } },
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
