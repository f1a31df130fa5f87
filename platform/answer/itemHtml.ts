import type { Element, Root } from 'hast';
import type { AnswerItem, BlockKind } from './answerItem.ts';
import { createSplitter } from './createSplitter.ts';
import { markdownElements, safeHtml } from './renderMarkdown.ts';
import { closesFence } from './openBlock.ts';

/** Returns a block of Markdown as HTML that is safe to show (spec §2.4). A block that is costly to parse is shown as it is written. */
export const blockHtml = (kind: BlockKind, source: string): string =>
  safeHtml(kind === 'code' ? [codeElement(source)] : elementsOf(source));

/** Returns Markdown as HTML that shows it as it is written. */
export const plainHtml = (source: string): string => safeHtml([element(source.split('\n'), '')]);

/** Returns reasoning as HTML: closed, below the word “Reasoning”. */
export function reasoningHtml(source: string): string {
  const items: AnswerItem[] = [];
  const splitter = createSplitter(items);
  splitter.add(source);
  splitter.end();
  const summary = newElement('summary', [text('Reasoning')]);
  const children = items.flatMap(reasoningElements).filter((child) => child.type !== 'doctype');
  return safeHtml([newElement('details', [summary, ...children])]);
}

function reasoningElements(item: AnswerItem): Root['children'] {
  if (item.kind === 'text' || item.kind === 'note')
    return item.text.split('\n\n').map((paragraph) => newElement('p', [text(paragraph)]));
  return item.kind === 'code' ? [codeElement(item.source)] : elementsOf(item.source);
}

const elementsOf = (source: string): Root['children'] =>
  (isCostlyMarkdown(source) ? undefined : tryParse(source)) ?? [element(source.split('\n'), '')];

/** Parses Markdown; returns `undefined` when the parser fails. An answer must not end the platform, which runs in the app's main process. */
function tryParse(source: string): Root['children'] | undefined {
  try {
    return markdownElements(source);
  } catch {
    return undefined;
  }
}

const text = (value: string) => ({ type: 'text', value }) as const;
const newElement = (tagName: string, children: Element['children']): Element => ({
  type: 'element',
  tagName,
  properties: {},
  children,
});

const FENCE = /^(?<indent> {0,3})(?<fence>`{3,}|~{3,})[ \t]*(?<language>[^\s`]{0,30})/;

/** Returns a code block. Its text needs no parser: it is everything between the fences, or the lines without their indentation. */
function codeElement(source: string): Element {
  const lines = source.split('\n');
  const { indent = '', fence, language = '' } = FENCE.exec(lines[0] ?? '')?.groups ?? {};
  if (fence === undefined)
    return element(
      lines.map((line) => line.replace(/^(?: {1,4}|\t)/, '')),
      '',
    );
  const last = lines.length > 1 && closesFence(lines.at(-1) ?? '', fence) ? -1 : undefined;
  const indented = new RegExp(`^ {0,${indent.length}}`);
  return element(
    lines.slice(1, last).map((line) => line.replace(indented, '')),
    language,
  );
}

/** Returns lines as a code block in a language. */
function element(lines: readonly string[], language: string): Element {
  const value = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  const code: Element = {
    type: 'element',
    tagName: 'code',
    properties: language === '' ? {} : { className: [`language-${language}`] },
    children: [{ type: 'text', value }],
  };
  return { type: 'element', tagName: 'pre', properties: {}, children: [code] };
}

/** Longer blocks are shown as they are written. In UTF-16 units. */
const MOST_LENGTH = 12_000;
/** A parser takes a multiple of the time for lines that are nearly empty. */
const MOST_LINES = 600;
/** Maximum number of markers in one paragraph, cell or item: a parser compares each with those before it. */
const MOST_MARKERS = 200;
/** Maximum number of quotes and lists within each other. */
const MOST_NESTING = 16;
/** Maximum indentation of a line, in characters. */
const MOST_INDENT = 100;
/** Maximum number of cells in a table, including those that a short row lacks. */
const MOST_CELLS = 3000;

const CONTAINERS = /^(?:[ \t]{0,100}(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t])))+/;
const CONTAINER = />|[-+*]|\d{1,9}[.)]/g;
/** A line that begins a paragraph, a cell or an item, or ends one. */
const BOUNDARY = /^[ \t]*(?:$|[-+*][ \t]|\d{1,9}[.)][ \t]|\|)/;

/**
 * Returns whether a Markdown parser, or a browser with its result, could take long: it is very long or deeply nested, or it has very many
 * markers in one paragraph, or very many cells. Such a block is hostile or broken.
 */
function isCostlyMarkdown(source: string): boolean {
  if (source.length > MOST_LENGTH) return true;
  const lines = source.split('\n');
  return lines.length > MOST_LINES || hasManyMarkers(lines) || hasManyCells(lines) || lines.some(isDeep);
}

function hasManyMarkers(lines: readonly string[]): boolean {
  let markers = 0;
  for (const line of lines) {
    if (BOUNDARY.test(line)) markers = 0;
    markers += line.match(/[*_~[\]`<]/g)?.length ?? 0;
    if (markers > MOST_MARKERS) return true;
  }
  return false;
}

function hasManyCells(lines: readonly string[]): boolean {
  const width = Math.max(...lines.map((line) => line.split('|').length));
  return width > 2 && width * lines.length > MOST_CELLS;
}

function isDeep(line: string): boolean {
  const containers = CONTAINERS.exec(line)?.[0].match(CONTAINER)?.length ?? 0;
  return containers > MOST_NESTING || line.search(/[^ \t]/) > MOST_INDENT;
}
