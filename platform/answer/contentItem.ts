import type { ContentItem } from '#shared/protocol/update.ts';
import type { AnswerItem } from './split/answerItem.ts';
import { blockHtml, plainHtml, reasoningHtml } from './html/itemHtml.ts';

/** Returns a text item. */
export const textItem = (text: string): ContentItem => ({ category: 'text', text, html: null, blob: null });

/** A note has a field of its own, which clients keep. */
const noteItem = (text: string): ContentItem & { readonly note: true } => ({ ...textItem(text), note: true });

const htmlItem = (html: string, text: string | null): ContentItem => ({
  category: 'html',
  text,
  html,
  blob: null,
});

/**
 * Returns the content item of an answer's item (spec §2.4). A block keeps its Markdown in `text`, for `sourceOf`; reasoning and notes, which
 * the endpoint does not get back, do not.
 *
 * @param isPlain whether Markdown is shown as it is written, without a parser.
 */
export function contentItem(item: AnswerItem, isPlain: boolean): ContentItem {
  if (item.kind === 'text') return textItem(item.text);
  if (item.kind === 'note') return noteItem(item.text);
  if (item.kind === 'reasoning')
    return htmlItem(isPlain ? plainHtml(item.source) : reasoningHtml(item.source), null);
  return htmlItem(isPlain ? plainHtml(item.source) : blockHtml(item.kind, item.source), item.source);
}
