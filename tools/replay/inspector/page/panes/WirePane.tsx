import { createScanner } from 'jsonc-parser';
import { useState } from 'react';
import { ClippedText } from '#ui/base/ClippedText.tsx';
import { formatBytes } from '#shared/formatText.ts';
import type { Wire } from '../../protocol/protocol.ts';
import { Choice, IconButton, TextButton } from '../parts/controls.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';

const VIEWS = [
  ['pretty', 'Pretty'],
  ['raw', 'Raw'],
] as const;

const DIRECTIONS: Readonly<Record<Wire['direction'], string>> = {
  received: '↓ received',
  sent: '↑ sent',
  none: 'not on the wire',
};

/** Shows the frame of the selected step as it was on the wire. */
export function WirePane() {
  const wire = useInspectorState((state) => state.view?.wire);
  const [view, setView] = useState<'pretty' | 'raw'>('pretty');
  const { notify, fail } = useInspector();
  const copy = (text: string) =>
    navigator.clipboard.writeText(text).then(() => notify('The frame is copied.'), fail);
  return (
    <div className="wire">
      <div className="pane-tools">
        {wire && <WireFacts wire={wire} />}
        {wire && (
          <div className="tools">
            <Choice name="How to show the frame" options={VIEWS} value={view} onChoose={setView} />
            <IconButton icon="copy" name="Copy the frame" onClick={() => void copy(wire.text)} />
          </div>
        )}
      </div>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="scrolled" aria-label="Frame text" tabIndex={0}>
        {wire ? (
          <WireText wire={wire} view={view} />
        ) : (
          <p className="empty">Nothing is on the wire before the first step.</p>
        )}
      </section>
    </div>
  );
}

function WireFacts({ wire: { direction, bytes, encoding, rejection } }: { readonly wire: Wire }) {
  const record = useInspectorState((state) => state.view?.row?.record);
  return (
    <p className="facts">
      <span data-direction={direction}>{DIRECTIONS[direction]}</span>
      <span>{formatBytes(bytes)}</span>
      {encoding === 'base64' && <span>binary, as base64</span>}
      {rejection !== undefined && <span>rejected: {rejection}</span>}
      <span className="faint">record {record}</span>
    </p>
  );
}

/** The beginning of JSON. Other apps can send other text, which has no tokens. */
const JSON_START = /^\s*(?:[[{"]|(?:-?\d[\d.eE+-]*|true|false|null)\s*$)/;

function WireText({ wire, view }: { readonly wire: Wire; readonly view: 'pretty' | 'raw' }) {
  if (wire.text === '') return <p className="empty">An empty frame.</p>;
  if (view === 'pretty' && wire.encoding === 'text' && JSON_START.test(wire.text))
    return <JsonView text={wire.text} />;
  return (
    <div className="raw">
      <ClippedText text={wire.text} />
    </div>
  );
}

/** The number of lines, and of characters of a long line, that are shown at first. */
const FIRST_LINES = 300;
const ALL_LINES = 20_000;
const LONGEST = 5000;

/** Shows formatted JSON with colours; of long JSON, the beginning at first. */
function JsonView({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState<string>();
  const most = whole === text ? ALL_LINES : FIRST_LINES;
  const { lines, isCut } = jsonLines(text, most);
  return (
    <>
      <pre className="json">
        {lines.map(({ indent, tokens }, index) => (
          // Lines never move, so the index identifies them.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className="json-line" style={{ paddingInlineStart: `${indent * 1.25}em` }}>
            {tokens.map((token, at) => (
              // oxlint-disable-next-line react/no-array-index-key
              <span key={at} className={`json-${token.part}`}>
                {token.text.length > LONGEST ? `${token.text.slice(0, LONGEST)}…` : token.text}
              </span>
            ))}
          </div>
        ))}
      </pre>
      {isCut && most === FIRST_LINES && <TextButton name="Show all" onClick={() => setWhole(text)} />}
    </>
  );
}

/** A line of formatted JSON: its indentation in levels, and its tokens with the part of JSON that each is, for its colour. */
interface JsonLine {
  readonly indent: number;
  readonly tokens: { readonly part: string; readonly text: string }[];
}

/** The maximum indentation. */
const MAX_INDENT = 50;

const OPENING = /^[[{]$/;
const CLOSING = /^[\]}]$/;

/**
 * Formats the text of JSON without parsing values, so that large numbers keep all their digits. Text that is not JSON is returned
 * as it is. `isCut`: it has more than the maximum number of lines; the rest is not read.
 */
export function jsonLines(text: string, most: number): { lines: readonly JsonLine[]; isCut: boolean } {
  const lines: JsonLine[] = [];
  let tokens: JsonLine['tokens'] = [];
  let indent = 0;
  const endLine = (by = 0) => {
    if (tokens.length > 0) lines.push({ indent: Math.min(indent, MAX_INDENT), tokens });
    tokens = [];
    indent = Math.max(0, indent + by);
  };
  const scanner = createScanner(text, true);
  /** Returns the next token, without white space; nothing at the end. */
  const read = () => {
    scanner.scan();
    return text.substr(scanner.getTokenOffset(), scanner.getTokenLength());
  };
  for (let token = read(), next; token !== ''; token = next) {
    if (lines.length >= most) return { lines, isCut: true };
    next = read();
    const isClosing = CLOSING.test(token);
    const isEmpty = isClosing && OPENING.test(tokens.at(-1)?.text ?? '');
    if (isClosing && !isEmpty) endLine(-1);
    tokens.push({ part: partOf(token, next), text: token === ':' ? ': ' : token });
    if (OPENING.test(token) && !CLOSING.test(next)) endLine(1);
    else if (token === ',' || (isClosing && next !== ',')) endLine();
  }
  endLine();
  return { lines, isCut: false };
}

function partOf(token: string, next: string): string {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'string';
  if (/^[-\d]/.test(token)) return 'number';
  if (/^[[\]{},:]$/.test(token)) return 'sign';
  return /^(?:true|false|null)$/.test(token) ? 'word' : 'other';
}
