import type { Element } from 'hast';
import { closesFence } from '../split/openCode.ts';

const FENCE = /^(?<indent> {0,3})(?<fence>`{3,}|~{3,})[ \t]*(?<language>[^\s`]{0,30})/;

/** Returns a code block. Its text needs no parser: it is everything between the fences, or the lines without their indentation. */
export function codeElement(source: string): Element {
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
export function element(lines: readonly string[], language: string): Element {
  const value = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  const code: Element = {
    type: 'element',
    tagName: 'code',
    properties: language === '' ? {} : { className: [`language-${language}`] },
    children: [{ type: 'text', value }],
  };
  return { type: 'element', tagName: 'pre', properties: {}, children: [code] };
}
