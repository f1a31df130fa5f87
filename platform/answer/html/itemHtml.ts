import type { Element, Root } from 'hast';
import type { AnswerItem, BlockKind } from '../split/answerItem.ts';
import { codeElement, element } from './codeElement.ts';
import { createSplitter } from '../split/createSplitter.ts';
import { isCostlyMarkdown } from './isCostlyMarkdown.ts';
import { markdownElements, safeHtml } from './renderMarkdown.ts';

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
