import { HTML_DEPTH, HTML_LENGTH, HTML_NODES, HTML_PARSE_MS } from '#shared/limits.ts';
import { markupPolicy } from './markupPolicy.ts';

/** Minimum length of a piece while there are few formatting elements: one write for each tag takes longer. */
const PIECE_LENGTH = 64;
/** Each tag is written separately while there are more formatting elements (and attributes): it may repeat all of them. */
const FEW_FORMATTING = 200;

/** Elements that the parser repeats in each block that follows, until they are closed. */
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));

/** The number of elements around the markup: `html` and `body`. */
const AROUND = 2;
/** Selects an element that is nested too deep. */
const DEEP = Array.from({ length: AROUND + HTML_DEPTH + 1 }, () => '*').join('>');

/**
 * Parses markup in an inert document, in which nothing runs or loads; returns its body, or `null` when the markup is over a limit.
 *
 * The parser repeats unclosed formatting elements in each following block: 18 KB can become 400,000 elements. So the markup is written
 * piece by piece, and parsing stops at the first piece after which the tree is over a limit.
 */
export function parseMarkup(html: string): Element | null {
  if (html.length > HTML_LENGTH) return null;
  const { page, body } = emptyPage();
  const tree = watchTree(page);
  const source = sourceOf(html);
  const end = performance.now() + HTML_PARSE_MS;
  for (let start = 0; start < source.length;) {
    const next = pieceEnd(source, start + (tree.formatting() > FEW_FORMATTING ? 0 : PIECE_LENGTH));
    write(page, source.slice(start, next));
    start = next;
    if (tree.isOverLimit() || performance.now() > end) return null;
  }
  document.close.call(page);
  const isDeep = body.querySelector(DEEP) !== null;
  return tree.isOverLimit() || isDeep ? null : body;
}

/** Parses markup like `parseMarkup`, but without limits: it may take very long. */
export function parseAllMarkup(html: string): Element {
  const { page, body } = emptyPage();
  write(page, sourceOf(html));
  document.close.call(page);
  return body;
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
  document.write.call(page, markupPolicy()?.createHTML(html) ?? html);

/** Returns the index after the first end of a tag at or after `from`. */
function pieceEnd(source: string, from: number): number {
  const end = source.indexOf('>', from);
  return end === -1 ? source.length : end + 1;
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
  return {
    isOverLimit() {
      for (const { type, addedNodes } of observer.takeRecords()) {
        if (type === 'attributes') nodes += 1;
        addedNodes.forEach(count);
      }
      return nodes > HTML_NODES;
    },
    /** Returns the maximum number of nodes that a tag can repeat. */
    formatting: () => formatting,
  };
}
