import type { Config } from 'dompurify';
import { HTML_DEPTH, HTML_LENGTH, HTML_NODES, HTML_PARSE_MS } from '#shared/limits.ts';

/** Minimum length of a piece while there are few formatting elements: one write for each tag takes longer. */
const PIECE_LENGTH = 64;
/** Maximum length of a piece. */
const LONGEST_PIECE = 16_384;
/** Each tag is written separately while there are more formatting elements (and attributes): it may repeat all of them. */
const FEW_FORMATTING = 200;

/** Elements that the parser repeats in each block that follows, until they are closed. */
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));

/** The number of elements around the markup: `html` and `body`. */
const AROUND = 2;
/** Selects an element that is nested too deep. */
const DEEP = Array.from({ length: AROUND + HTML_DEPTH + 1 }, () => '*').join('>');

/** Markup with this length (in UTF-16 units) and so few tags is parsed at once, which takes a tenth of the time. */
const SHORT = 10_000;
const FEW_TAGS = 50;

/**
 * Parses markup in an inert document, in which nothing runs or loads; returns its body, or `null` when the markup is over a limit.
 *
 * The parser repeats unclosed formatting elements in each following block: 18 KB can become 400,000 elements. So long markup is written
 * piece by piece, and parsing stops at the first piece after which the tree is over a limit.
 */
export function parseMarkup(html: string): Element | null {
  if (html.length > HTML_LENGTH) return null;
  if (html.length <= SHORT && html.split('<', FEW_TAGS + 2).length <= FEW_TAGS + 1) return parseShort(html);
  const parser = createParser(html);
  const end = performance.now() + HTML_PARSE_MS;
  while (parser.parseNext()) if (parser.nodes() > HTML_NODES || performance.now() > end) return null;
  const isDeep = parser.body.querySelector(DEEP) !== null;
  return parser.nodes() > HTML_NODES || isDeep ? null : parser.body;
}

/** The page of short markup: its elements are created, and none is in it. */
let shortPage: Document | undefined;

function parseShort(html: string): Element | null {
  shortPage ??= emptyPage().page;
  const body = shortPage.createElement('body');
  body.innerHTML = trustedHtml(sourceOf(html));
  let nodes = body.childNodes.length;
  for (const { attributes, childNodes } of body.querySelectorAll('*'))
    nodes += attributes.length + childNodes.length;
  return nodes > HTML_NODES ? null : body;
}

/** Parses markup piece by piece. */
interface MarkupParser {
  /** The body, as far as it is parsed. */
  readonly body: Element;
  /** Parses the next piece; returns whether there was one. */
  parseNext(): boolean;
  /** Returns the number of nodes so far: elements, attributes, texts and comments. */
  nodes(): number;
}

/** Creates a parser for markup, without limits. */
export function createParser(html: string): MarkupParser {
  const { page, body } = emptyPage();
  const tree = watchTree(page);
  const source = sourceOf(html);
  let start = 0;
  return {
    body,
    nodes: tree.nodes,
    parseNext() {
      if (start >= source.length) {
        document.close.call(page);
        tree.disconnect();
        return false;
      }
      const next = pieceEnd(source, start + (tree.formatting() > FEW_FORMATTING ? 0 : PIECE_LENGTH));
      write(page, source.slice(start, next));
      start = next;
      tree.update();
      return true;
    },
  };
}

/**
 * Returns the markup with some element names replaced. Messages cannot show these elements, and they would mislead `watchTree`: a `<template>`
 * keeps its content in another tree, a `<selectedcontent>` gets a copy of another element's content, and a `<form>` has properties with
 * its fields' names.
 */
const sourceOf = (html: string) => html.replaceAll(/<(\/?)(?=template|selectedcontent|form)/giu, '<$1x-');

/** Creates a page with an open body. Without a body, a `<frameset>` would replace it and drop everything else. */
function emptyPage(): { readonly page: Document; readonly body: Element } {
  const page = document.implementation.createHTMLDocument();
  page.open();
  write(page, '<body>');
  return { page, body: page.body };
}

/** Writes to a page. Uses this document's method: elements of the page can have the names of its methods. */
const write = (page: Document, html: string) =>
  // oxlint-disable-next-line typescript/no-deprecated
  document.write.call(page, trustedHtml(html));

/** Returns the index after the first end of a tag at or after `from`, if it is not too far. */
function pieceEnd(source: string, from: number): number {
  const end = source.slice(from, from + LONGEST_PIECE).indexOf('>');
  return end === -1 ? Math.min(source.length, from + LONGEST_PIECE) : from + end + 1;
}

/** Counts the nodes that the parser creates. */
function watchTree(page: Document) {
  const observer = new MutationObserver(() => undefined);
  observer.observe(page, { childList: true, attributes: true, subtree: true });
  let nodes = 0;
  let formatting = 0;
  const count = (node: Node) => {
    const size = node instanceof Element ? 1 + node.attributes.length : 1;
    nodes += size;
    if (FORMATTING.has(node.nodeName.toLowerCase())) formatting += size;
  };
  const update = () => {
    for (const { type, addedNodes } of observer.takeRecords()) {
      if (type === 'attributes') nodes += 1;
      addedNodes.forEach(count);
    }
  };
  return {
    update,
    disconnect() {
      update();
      observer.disconnect();
    },
    nodes() {
      update();
      return nodes;
    },
    /** Returns the maximum number of nodes that a tag can repeat. */
    formatting: () => formatting,
  };
}

interface Rules {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

/** The type of a Trusted Types policy. TypeScript treats the markup that it creates as a string. */
type Policy = Rules & NonNullable<Config['TRUSTED_TYPES_POLICY']>;

/** A window of a browser with or without Trusted Types. */
interface TrustingWindow extends Pick<Window, 'document'> {
  readonly trustedTypes?: { createPolicy(name: string, rules: Rules): Policy };
}

let policy: Policy | undefined;

/**
 * Returns the Trusted Types policy that turns texts into markup, or `undefined` in a browser without Trusted Types. It replaces DOMPurify's
 * own policy of the same name. Its markup is parsed in inert documents; only what DOMPurify keeps of them is shown.
 */
export function markupPolicy(): Policy | undefined {
  const { trustedTypes }: TrustingWindow = window;
  policy ??= trustedTypes?.createPolicy('dompurify', {
    createHTML: (html) => html,
    createScriptURL: () => {
      throw new TypeError('Markup of a message loads no script.');
    },
  });
  return policy;
}

/** Returns markup as the type that documents accept. It may be used in inert documents only. */
export const trustedHtml = (html: string): string => markupPolicy()?.createHTML(html) ?? html;
