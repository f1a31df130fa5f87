import type { ContentItem } from '#shared/protocol/update.ts';
import { HUGE_MARKUP } from '#tests/builders/hostileMarkup.ts';

/** Markup that unmounted the window, or of which a browser makes hundreds of thousands of elements. */
export const hostileMarkup: readonly string[] = [
  '<frameset>',
  '<frameset><frame></frameset>',
  ...Object.values(HUGE_MARKUP),
];

/** A content item of category `html`. */
export const htmlItem = (source: string): ContentItem => ({
  category: 'html',
  text: null,
  html: source,
  blob: null,
});
