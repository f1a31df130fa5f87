import type { Emitter } from 'highlight.js';

/** What a token is; each has a colour of its own. */
export type TokenKind =
  | 'comment'
  | 'keyword'
  | 'string'
  | 'number'
  | 'title'
  | 'type'
  | 'addition'
  | 'deletion';

/** A part of code. Joined, the texts of all tokens are the code. */
export interface Token {
  readonly text: string;
  /** `null` when the part has the colour of the text. */
  readonly kind: TokenKind | null;
}

/** The kinds of highlight.js's scopes, by the first part of their names. Any other scope has the kind of the scope around it. */
const KINDS: ReadonlyMap<string, TokenKind | null> = new Map(
  Object.entries({
    comment: 'comment',
    quote: 'comment',
    keyword: 'keyword',
    doctag: 'keyword',
    meta: 'keyword',
    operator: null,
    punctuation: null,
    params: null,
    subst: null,
    string: 'string',
    regexp: 'string',
    char: 'string',
    link: 'string',
    code: 'string',
    number: 'number',
    literal: 'number',
    symbol: 'number',
    bullet: 'number',
    title: 'title',
    section: 'title',
    name: 'keyword',
    'selector-tag': 'keyword',
    type: 'type',
    built_in: 'type',
    attr: 'type',
    attribute: 'type',
    property: 'type',
    'selector-class': 'type',
    'selector-id': 'type',
    'selector-attr': 'type',
    'selector-pseudo': 'type',
    'template-variable': 'type',
    variable: 'type',
    addition: 'addition',
    deletion: 'deletion',
  } as const),
);

/** Receives what highlight.js reads, as a list of tokens. */
export class TokenList implements Emitter {
  readonly tokens: Token[] = [];
  /** The length of the text after the last line end that is in no scope, such as a comment of several lines. In UTF-16 units. */
  openLength = 0;
  readonly #kinds: (TokenKind | null)[] = [];

  addText(text: string): void {
    if (text === '') return;
    const kind = this.#kinds.at(-1) ?? null;
    const last = this.tokens.at(-1);
    if (last?.kind === kind) this.tokens.splice(-1, 1, { text: last.text + text, kind });
    else this.tokens.push({ text, kind });
    const lineEnd = this.#kinds.length === 0 ? text.lastIndexOf('\n') : -1;
    this.openLength = lineEnd === -1 ? this.openLength + text.length : text.length - lineEnd - 1;
  }

  startScope(scope: string): void {
    this.openNode(scope);
  }

  endScope(): void {
    this.closeNode();
  }

  /** Highlight.js calls this method too; its type lacks it. */
  openNode(scope: string): void {
    const kind = KINDS.get(scope.split('.')[0] ?? '');
    this.#kinds.push(kind === undefined ? (this.#kinds.at(-1) ?? null) : kind);
  }

  /** Highlight.js calls this method too; its type lacks it. */
  closeNode(): void {
    this.#kinds.pop();
  }

  /** Adds the tokens of code in another language. */
  __addSublanguage({ tokens }: TokenList): void {
    this.openNode('language');
    for (const { text, kind } of tokens) this.#addAs(text, kind);
    this.closeNode();
  }

  finalize(): void {
    this.#kinds.length = 0;
  }

  /** Nothing reads it: tokens become elements, and no markup. */
  toHTML(): string {
    return '';
  }

  #addAs(text: string, kind: TokenKind | null): void {
    this.#kinds.push(kind ?? this.#kinds.at(-1) ?? null);
    this.addText(text);
    this.#kinds.pop();
  }
}
