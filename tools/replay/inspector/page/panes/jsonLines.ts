import { createScanner } from 'jsonc-parser';

/** What a piece of JSON is, for its colour. */
export type JsonPart = 'key' | 'string' | 'number' | 'word' | 'sign' | 'other';

export interface JsonToken {
  readonly part: JsonPart;
  readonly text: string;
}

/** A line of laid out JSON. */
export interface JsonLine {
  readonly indent: number;
  readonly tokens: readonly JsonToken[];
}

/** The JSON of a text, laid out; `isCut` when there was more than so many lines. */
export interface JsonLayout {
  readonly lines: readonly JsonLine[];
  readonly isCut: boolean;
}

/**
 * Lays JSON out from its text alone: what stands there is shown as it stands, large numbers with all their digits. What
 * is no JSON comes out as it is, too.
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

/** The tokens of a text without the white space between them, one at a time: what is cut is not read. */
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

/** Lines further in than this stand below each other. */
const DEEPEST_INDENT = 50;

/** Lines as they grow, token by token. */
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

  /** The next line stands so much further in. */
  endLine(by = 0): void {
    if (this.tokens.length > 0)
      this.lines.push({ indent: Math.min(this.indent, DEEPEST_INDENT), tokens: this.tokens });
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
