import { decorateCode } from '../code/decorateCode.ts';

/**
 * Adds what the window adds to sanitized markup: containers that scroll, directions, and the bars of code.
 * @returns a function that stops work that continues later.
 */
export function prepareMarkup(markup: ParentNode): () => void {
  wrapTables(markup);
  setDirections(markup);
  return decorateCode(markup);
}

/** Puts each table of sanitized markup into a container of its own, which scrolls sideways. A table within a table scrolls with it. */
function wrapTables(markup: ParentNode): void {
  for (const table of markup.querySelectorAll('table:not(table table)')) {
    const container = document.createElement('div');
    container.className = 'table';
    table.replaceWith(container);
    container.append(table);
  }
}

const BLOCKS = 'p, div, h1, h2, h3, h4, h5, h6, ul, ol, dl, pre, blockquote, center, figure, details';

/** Gives each outer block of sanitized markup the direction of its own text, unless the sender set one. */
export function setDirections(markup: ParentNode): void {
  for (const block of markup.children)
    if (block.matches(BLOCKS) && !block.hasAttribute('dir')) block.setAttribute('dir', 'auto');
}

/** The elements that scroll sideways. */
const SCROLLERS = '.table, pre, .formula';

/**
 * Returns functions that watch the tables, the code and the formulas of markup, or one of them. While one of them is wider than its bubble, the keyboard can reach and
 * scroll it, and it has a name for screen readers.
 */
export function watchOverflow(): { observe(markup: Element): void; disconnect(): void } {
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes) updateScroller(target.closest(SCROLLERS));
  });
  return {
    observe(markup) {
      // Its contents may change their size without their container.
      if (markup.matches(SCROLLERS)) sizes.observe(markup);
      for (const element of markup.querySelectorAll(`${SCROLLERS}, pre > code, .table > table, .formula > *`))
        sizes.observe(element);
    },
    disconnect: () => sizes.disconnect(),
  };
}

function updateScroller(scroller: Element | null): void {
  if (scroller === null) return;
  const isWide = scroller.scrollWidth > scroller.clientWidth;
  const name = scroller.nodeName === 'PRE' ? 'Code' : scroller.matches('.table') ? 'Table' : 'Formula';
  for (const [attribute, value] of Object.entries({ tabindex: '0', role: 'group', 'aria-label': name })) {
    if (isWide) scroller.setAttribute(attribute, value);
    else scroller.removeAttribute(attribute);
  }
}

/** Remembers how far the tables and the code of markup are scrolled; returns a function that scrolls those that replaced them as far. */
export function keepScroll(markup: Element): () => void {
  const before = Array.from(markup.querySelectorAll(SCROLLERS), (one) => one.scrollLeft);
  return () => {
    if (before.every((left) => left === 0)) return;
    for (const [index, scroller] of markup.querySelectorAll(SCROLLERS).entries())
      scroller.scrollLeft = before[index] ?? 0;
  };
}
