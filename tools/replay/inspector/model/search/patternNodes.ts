import { SessionError } from '../trace/sessionError.ts';

/** A part of a regular expression. */
export type PatternNode =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean }
  /** Matches a position in a text, such as `^` or `\b`. */
  | { readonly kind: 'position'; readonly matches: (text: string, at: number) => boolean }
  | { readonly kind: 'sequence'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly nodes: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly min: number; readonly max: number };

interface Reader {
  readonly source: string;
  readonly flags: string;
  at: number;
}

/**
 * Parses a regular expression that `RegExp` accepts.
 * @throws {SessionError} when it has a backreference or looks ahead or behind: these cannot be searched in linear time.
 */
export const parsePattern = (source: string, flags: string): PatternNode =>
  readChoice({ source, flags, at: 0 });

function readChoice(reader: Reader): PatternNode {
  const nodes = [readSequence(reader)];
  while (take(reader, /\|/y) !== undefined) nodes.push(readSequence(reader));
  const [only, ...others] = nodes;
  return only !== undefined && others.length === 0 ? only : { kind: 'choice', nodes };
}

function readSequence(reader: Reader): PatternNode {
  const nodes: PatternNode[] = [];
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source.charAt(reader.at))) {
    nodes.push(readRepeat(reader, readOne(reader)));
  }
  return { kind: 'sequence', nodes };
}

/** Matches a quantifier; a lazy one finds the same texts. */
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
const SIGNS: Readonly<Record<string, readonly [min: number, max: number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
};

function readRepeat(reader: Reader, node: PatternNode): PatternNode {
  const found = take(reader, QUANTIFIER);
  if (found === undefined) return node;
  const [, sign = '', least = '0', comma, most = ''] = found;
  const bounds = [Number(least), comma === undefined ? Number(least) : most === '' ? Infinity : Number(most)];
  const [min = 0, max = 0] = SIGNS[sign] ?? bounds;
  return { kind: 'repeat', node, min, max };
}

const GROUP = /\((\?:|\?<[^=!>][^>]*>|(?!\?))/y;
const UNSUPPORTED = /\(\?(?:<?[=!]|[-a-z]+:)|\\[1-9k]/y;
const CLASS = /\[(?:[^\]\\]|\\[\s\S])*\]/y;
const ESCAPE = /\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|0\d{0,2}|[\s\S])/iy;

function readOne(reader: Reader): PatternNode {
  const unsupported = take(reader, UNSUPPORTED);
  if (unsupported !== undefined) {
    throw new SessionError(`A pattern cannot contain ${unsupported[0]}: it would be too slow on long texts.`);
  }
  if (take(reader, GROUP) !== undefined) {
    const node = readChoice(reader);
    take(reader, /\)/y);
    return node;
  }
  const position = take(reader, /[$^]|\\b/iy);
  if (position !== undefined) return { kind: 'position', matches: positionTest(position[0], reader.flags) };
  const [character] = take(reader, CLASS) ?? take(reader, ESCAPE) ?? take(reader, /[\s\S]/y) ?? [''];
  return { kind: 'character', matches: characterTest(character, reader.flags) };
}

/** Reads what a sticky pattern matches at the current place. */
function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source) ?? undefined;
  if (found !== undefined) reader.at += found[0].length;
  return found;
}

/** The browser tests each character once. */
function characterTest(source: string, flags: string): (character: string) => boolean {
  const isLiteral = /^[{}\]]$/.test(source);
  const pattern = new RegExp(`^${isLiteral ? `\\${source}` : source}$`, flags.replace('m', ''));
  const known = new Map<string, boolean>();
  return (character) => {
    let isMatch = known.get(character);
    if (isMatch === undefined) known.set(character, (isMatch = pattern.test(character)));
    return isMatch;
  };
}

function positionTest(sign: string, flags: string): (text: string, at: number) => boolean {
  const isLines = flags.includes('m');
  switch (sign) {
    case '^':
      return (text, at) => at === 0 || (isLines && /[\n\r\u2028\u2029]/.test(text.charAt(at - 1)));
    case '$':
      return (text, at) => at === text.length || (isLines && /[\n\r\u2028\u2029]/.test(text.charAt(at)));
    default:
      return (text, at) =>
        (/\w/.test(text.charAt(at - 1)) !== /\w/.test(text.charAt(at))) === (sign === '\\b');
  }
}
