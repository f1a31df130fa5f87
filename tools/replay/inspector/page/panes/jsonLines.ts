import { createScanner } from 'jsonc-parser';

/** The type of a piece of JSON, for its colour. */
type JsonPart = 'key' | 'string' | 'number' | 'word' | 'sign' | 'other';

/** A token of JSON with its type. */
interface JsonToken {
  readonly part: JsonPart;
  readonly text: string;
}

/** A line of formatted JSON. */
interface JsonLine {
  readonly indent: number;
  readonly tokens: readonly JsonToken[];
}

/** Formatted JSON; `isCut` when it has more than the maximum number of lines. */
interface JsonLayout {
  readonly lines: readonly JsonLine[];
  readonly isCut: boolean;
}

/**
 * Formats the text of JSON without parsing values, so that large numbers keep all their digits. Text that is not JSON is returned
 * as it is.
 */
export function jsonLines(text: string, most: number): JsonLayout {
  const layout = new Layout();
  const tokens = significantTokens(text);
  let token = tokens.next().value;
  while (token !== undefined) {
    if (layout.lines.length >= most) return { lines: layout.lines, isCut: true };
    const next = tokens.next().value;
    layout.take(token, next);
    token = next;
  }
  layout.endLine();
  return { lines: layout.lines, isCut: false };
}

/** Yields the tokens of a text without white space between them; text after the last requested token is not read. */
function* significantTokens(text: string): Generator<string, undefined> {
  const scanner = createScanner(text, true);
  for (;;) {
    scanner.scan();
    const length = scanner.getTokenLength();
    const start = scanner.getTokenOffset();
    if (length === 0 && start >= text.length) return undefined;
    yield text.slice(start, start + length);
  }
}

const OPEN: ReadonlySet<string | undefined> = new Set(['{', '[']);
const CLOSED: ReadonlySet<string | undefined> = new Set(['}', ']']);

/** The maximum indentation, in levels. */
const MAX_INDENT = 50;

/** Builds the lines from tokens. */
class Layout {
  readonly lines: JsonLine[] = [];
  private tokens: JsonToken[] = [];
  private indent = 0;

  take(text: string, next: string | undefined): void {
    if (CLOSED.has(text)) this.close(text, next);
    else {
      this.tokens.push({ part: partOf(text, next), text: text === ':' ? ': ' : text });
      if (OPEN.has(text) && !CLOSED.has(next)) this.endLine(1);
      if (text === ',') this.endLine();
    }
  }

  private close(text: string, next: string | undefined): void {
    const isEmpty = OPEN.has(this.tokens.at(-1)?.text);
    if (!isEmpty) this.endLine(-1);
    this.tokens.push({ part: 'sign', text });
    if (next !== ',') this.endLine();
  }

  /** Ends the line; indents the next one by `by` more levels. */
  endLine(by = 0): void {
    if (this.tokens.length > 0)
      this.lines.push({ indent: Math.min(this.indent, MAX_INDENT), tokens: this.tokens });
    this.tokens = [];
    this.indent = Math.max(0, this.indent + by);
  }
}

function partOf(text: string, next: string | undefined): JsonPart {
  if (text.startsWith('"')) return next === ':' ? 'key' : 'string';
  if (/^[-\d]/.test(text)) return 'number';
  if (/^[{}[\],:]$/.test(text)) return 'sign';
  return text === 'true' || text === 'false' || text === 'null' ? 'word' : 'other';
}
