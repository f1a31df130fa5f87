import { type MouseEvent, memo, useContext, useEffect, useMemo, useState } from 'react';
import { ClippedText } from '../base/ClippedText.tsx';
import { COSTLY_LENGTH, isCostlyText } from '../base/longText.ts';
import { languageLabel } from '../code/codeLanguage.ts';
import {
  COPIED_MS,
  HIGHLIGHTED_LENGTH,
  type Highlight,
  copyCode,
  loadHighlighter,
  loadedHighlighter,
  splitCode,
} from '../code/decorateCode.ts';
import type { Token } from '../code/TokenList.ts';
import { Scroller, StaticContext } from './Scroller.tsx';
import { type CodeBlock, codeText } from './syntax.ts';

/** Draws code with its language, a button that copies it, and colours. The bar contains no text nodes: its words come from the style sheet. */
export function Code({ block }: { readonly block: CodeBlock }) {
  const isStatic = useContext(StaticContext);
  const text = codeText(block);
  if (isStatic)
    return (
      <pre dir="ltr">
        <code>{text}</code>
      </pre>
    );
  return (
    <div className="code" dir="ltr">
      <div className="code-bar">
        {block.language !== null && (
          <span className="code-label" data-label={languageLabel(block.language)} />
        )}
        <CopyButton text={text} />
      </div>
      <Scroller as="pre">
        <code>
          <Pieces language={block.language} text={text} />
        </code>
      </Scroller>
    </div>
  );
}

function CopyButton({ text }: { readonly text: string }) {
  // An object: a second copy begins the time again.
  const [label, setLabel] = useState({ words: 'Copy' });
  useEffect(() => {
    if (label.words === 'Copy') return undefined;
    const reset = setTimeout(() => setLabel({ words: 'Copy' }), COPIED_MS);
    return () => clearTimeout(reset);
  }, [label]);
  const copy = async ({ currentTarget }: MouseEvent) =>
    setLabel({ words: (await copyCode(currentTarget, text)) ? 'Copied' : 'Not copied' });
  return (
    <button
      type="button"
      className="code-copy"
      data-label={label.words}
      aria-label={label.words}
      onClick={(event) => void copy(event)}
    />
  );
}

interface PiecesProps {
  readonly language: string | null;
  readonly text: string;
}

/** Draws code in pieces, so that only the last one changes while it grows. */
function Pieces({ language, text }: PiecesProps) {
  const pieces = useMemo(() => splitCode(text), [text]);
  const tokens = useTokens(language, pieces);
  // Pieces only ever grow at their end, so an index identifies a piece.
  // oxlint-disable-next-line react/no-array-index-key
  return pieces.map((piece, at) => <Piece key={at} text={piece} tokens={tokens[at]} />);
}

interface PieceProps {
  readonly text: string;
  readonly tokens: readonly Token[] | undefined;
}

const Piece = memo(function Piece({ text, tokens }: PieceProps) {
  const isCostly = text.length > COSTLY_LENGTH && isCostlyText(text);
  if (isCostly) return <ClippedText text={text} as="span" />;
  return (
    <span className="code-piece">
      {tokens === undefined
        ? text
        : tokens.map((token, at) =>
            token.kind === null ? (
              token.text
            ) : (
              // Tokens have no state, so an index identifies a token.
              // oxlint-disable-next-line react/no-array-index-key
              <span key={at} className={`code-${token.kind}`}>
                {token.text}
              </span>
            ),
          )}
    </span>
  );
});

/** Returns the tokens of pieces of code; `undefined` for a piece that is not highlighted, or not yet. */
function useTokens(
  language: string | null,
  pieces: readonly string[],
): readonly (readonly Token[] | undefined)[] {
  const [highlight, setHighlight] = useState(loadedHighlighter);
  const [highlighter] = useState(createHighlighter);
  const [, continueLater] = useState(0);
  useEffect(() => {
    if (language === null || highlight !== undefined) return undefined;
    let isWanted = true;
    void loadHighlighter().then((loaded) => isWanted && setHighlight(() => loaded));
    return () => {
      isWanted = false;
    };
  }, [language, highlight]);
  const tokens =
    language === null || highlight === undefined ? [] : highlighter.tokensOf(highlight, language, pieces);
  const rest = tokens.length < pieces.length ? tokens.length : 0;
  useEffect(() => {
    if (rest === 0) return undefined;
    const next = setTimeout(() => continueLater(rest));
    return () => clearTimeout(next);
  }, [rest]);
  return tokens;
}

/** Maximum number of pieces that one task highlights: the first of a language takes some 40 ms. */
const PIECES_IN_TASK = 1;

interface KnownPiece {
  readonly language: string;
  readonly before: string;
  readonly piece: string;
  readonly result: ReturnType<Highlight>;
}

/** Creates a highlighter that remembers the pieces of one block of code. */
function createHighlighter() {
  const known: KnownPiece[] = [];
  return {
    /** Returns the tokens of the first pieces: of all, except when too many are new. */
    tokensOf(
      highlight: Highlight,
      language: string,
      pieces: readonly string[],
    ): readonly (readonly Token[])[] {
      const tokens: (readonly Token[])[] = [];
      let before = '';
      let length = 0;
      let added = 0;
      for (const [at, piece] of pieces.entries()) {
        const last = known[at];
        const isKnown = last?.piece === piece && last.before === before && last.language === language;
        if (!isKnown && ++added > PIECES_IN_TASK) break;
        length += piece.length;
        const result = isKnown ? last.result : resultOf(highlight, { language, before, piece, length });
        known[at] = { language, before, piece, result };
        tokens.push(result.tokens);
        before = result.context;
      }
      return tokens;
    },
  };
}

interface PieceOfCode extends Omit<KnownPiece, 'result'> {
  /** The length of the code up to its end. */
  readonly length: number;
}

const resultOf = (
  highlight: Highlight,
  { language, before, piece, length }: PieceOfCode,
): KnownPiece['result'] =>
  length > HIGHLIGHTED_LENGTH
    ? { tokens: [{ text: piece, kind: null }], context: '' }
    : highlight(language, before, piece);
