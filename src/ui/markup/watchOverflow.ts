/** The elements that scroll sideways. */
export const SCROLLERS = '.table, pre';

/**
 * Returns functions that watch the tables and the code of markup. While one of them is wider than its bubble, the keyboard can reach and
 * scroll it, and it has a name for screen readers.
 */
export function watchOverflow(): { observe(markup: Element): void; disconnect(): void } {
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes) updateScroller(target.closest(SCROLLERS));
  });
  return {
    observe(markup) {
      // A table may change its size without its container.
      for (const element of markup.querySelectorAll(`${SCROLLERS}, .table > table`)) sizes.observe(element);
    },
    disconnect: () => sizes.disconnect(),
  };
}

function updateScroller(scroller: Element | null): void {
  if (scroller === null) return;
  const isWide = scroller.scrollWidth > scroller.clientWidth;
  const name = scroller.nodeName === 'PRE' ? 'Code' : 'Table';
  for (const [attribute, value] of Object.entries({ tabindex: '0', role: 'group', 'aria-label': name })) {
    if (isWide) scroller.setAttribute(attribute, value);
    else scroller.removeAttribute(attribute);
  }
}
