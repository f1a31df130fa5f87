import { createScanner } from 'jsonc-parser';

/** A token of JSON with its type, for its colour. */
interface JsonToken {
  readonly part: 'key' | 'string' | 'number' | 'word' | 'sign' | 'other';
  readonly text: string;
}

/** A line of formatted JSON. */
interface JsonLine {
  readonly indent: number;
  readonly tokens: JsonToken[];
}

/** The maximum indentation, in levels. */
const MAX_INDENT = 50;

/**
 * Formats the text of JSON without parsing values, so that large numbers keep all their digits. Text that is not JSON is returned
 * as it is. `isCut`: it has more than the maximum number of lines; the rest is not read.
 */
export function jsonLines(text: string, most: number): { lines: readonly JsonLine[]; isCut: boolean } {
  const lines: JsonLine[] = [];
  let tokens: JsonToken[] = [];
  let indent = 0;
  const endLine = (by = 0) => {
    if (tokens.length > 0) lines.push({ indent: Math.min(indent, MAX_INDENT), tokens });
    tokens = [];
    indent = Math.max(0, indent + by);
  };
  const read = tokenReader(text);
  let token = read();
  while (token !== undefined) {
    if (lines.length >= most) return { lines, isCut: true };
    const next = read();
    const isClosing = isOneOf('}]', token);
    const isEmpty = isClosing && isOneOf('{[', tokens.at(-1)?.text);
    if (isClosing && !isEmpty) endLine(-1);
    tokens.push({ part: partOf(token, next), text: token === ':' ? ': ' : token });
    if (isOneOf('{[', token) && !isOneOf('}]', next)) endLine(1);
    else if (token === ',' || (isClosing && next !== ',')) endLine();
    token = next;
  }
  endLine();
  return { lines, isCut: false };
}

/** Returns a function that reads the next token of a text, without white space; `undefined` at its end. */
function tokenReader(text: string): () => string | undefined {
  const scanner = createScanner(text, true);
  return () => {
    scanner.scan();
    const start = scanner.getTokenOffset();
    return text.slice(start, start + scanner.getTokenLength()) || undefined;
  };
}

const isOneOf = (signs: string, token: string | undefined): boolean =>
  token !== undefined && token.length === 1 && signs.includes(token);

function partOf(text: string, next: string | undefined): JsonToken['part'] {
  if (text.startsWith('"')) return next === ':' ? 'key' : 'string';
  if (/^[-\d]/.test(text)) return 'number';
  if (isOneOf('{}[],:', text)) return 'sign';
  return text === 'true' || text === 'false' || text === 'null' ? 'word' : 'other';
}
