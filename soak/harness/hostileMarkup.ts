import type { ContentItem } from '#shared/protocol/update.ts';

const times = (count: number, source: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => source(i)).join('');

/**
 * Markup that unmounted the window, or that becomes hundreds of thousands of elements: a parser opens unclosed formatting
 * elements of a closed paragraph again in each later one, unless they are the same.
 */
export const hostileMarkup: readonly string[] = [
  '<frameset>',
  '<frameset><frame></frameset>',
  `<p>${times(200, (i) => `<b id=${i}>`)}${'<p>x'.repeat(2000)}`,
  `<p>${times(600, (i) => `<b id=${i}>`)}${'<p>x'.repeat(6000)}`,
  `<p>${times(1200, (i) => `<i class=${i}><a href=x>`)}${'<p>x'.repeat(5000)}`,
  `${'<div>'.repeat(20_000)}deep`,
  `${'<table><tr><td>'.repeat(3000)}deep`,
  '<p>many</p>'.repeat(60_000),
];

/** A content item of category `html`. */
export const htmlItem = (source: string): ContentItem => ({
  category: 'html',
  text: null,
  html: source,
  blob: null,
});
