/** What a block of Markdown is. */
export type BlockKind = 'code' | 'table' | 'list' | 'quote';

/** A content item of an answer. A `text` item is plain text; the others have Markdown. */
export type AnswerItem =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: BlockKind; readonly source: string }
  | { readonly kind: 'reasoning'; readonly source: string }
  | { readonly kind: 'note'; readonly text: string };
