import { HTML_DEPTH, HTML_LENGTH, HTML_NODES, HTML_PARSE_MS } from '#shared/limits.ts';
import { markupPolicy } from './markupPolicy.ts';

/** A piece is at least this long while few formatting elements are known: one write for each tag would take longer. */
const PIECE_LENGTH = 64;
/** With more of them (and their attributes), each tag is written by itself: it may repeat them all. */
const FEW_FORMATTING = 200;

/** Elements that the parser repeats in each block that follows, until they are closed. */
const FORMATTING = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));

/** Elements around all that is in the markup: `html` and `body`. */
const AROUND = 2;
/** Finds an element that is nested too deep. */
const DEEP = Array.from({ length: AROUND + HTML_DEPTH + 1 }, () => '*').join('>');

/**
 * The body of the document that a browser makes of markup, inert: nothing in it runs or loads. `null` when it is over a limit.
 *
 * A few formatting elements that are not closed are repeated in each block that follows: 18 KB can become 400,000 elements. So the markup is
 * written piece by piece, and the parser is left at the first piece with which the tree is over a limit.
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

/** The same without limits: it may take very long. */
export function parseAllMarkup(html: string): Element {
  const { page, body } = emptyPage();
  write(page, sourceOf(html));
  document.close.call(page);
  return body;
}

/**
 * What is parsed, without elements that a message cannot show and that would mislead `watchTree`: a `<template>` keeps its content apart, a
 * `<selectedcontent>` gets a copy of what is in another element, and a `<form>` has properties named by what is in it.
 */
const sourceOf = (html: string) => html.replaceAll(/<(\/?)(?=template|selectedcontent|form)/giu, '<$1x-');

/** A page whose body is open. It has one from the beginning: a `<frameset>` would take its place, and nothing would be left. */
function emptyPage(): { readonly page: Document; readonly body: Element } {
  const page = document.implementation.createHTMLDocument();
  page.open();
  write(page, '<body>');
  return { page, body: page.body };
}

/** Methods are those of our own document: elements of a page can have the names of its methods. */
const write = (page: Document, html: string) =>
  // oxlint-disable-next-line typescript/no-deprecated
  document.write.call(page, markupPolicy()?.createHTML(html) ?? html);

/** After the first tag's end at or behind `from`. */
function pieceEnd(source: string, from: number): number {
  const end = source.indexOf('>', from);
  return end === -1 ? source.length : end + 1;
}

/** Counts what the parser makes. */
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
    /** How many nodes a tag can repeat, at most. */
    formatting: () => formatting,
  };
}
