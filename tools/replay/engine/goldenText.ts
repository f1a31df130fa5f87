import { canonicalJson } from './canonicalJson.ts';
import type { Golden } from './golden.ts';
import { visibleJson } from './shownValue.ts';

/** The golden's file: one line a field, a frame and a step, keys in one order, so that a change reads well in a diff. */
export function goldenText({ rejected, steps, ...head }: Golden): string {
  const lines = Object.entries(head).map(([key, value]) => `  "${key}": ${canonicalJson(value)},`);
  const text = ['{', ...lines, `${list('rejected', rejected)},`, list('steps', steps), '}'].join('\n');
  return `${visibleJson(text)}\n`;
}

function list(name: string, items: readonly object[]): string {
  if (items.length === 0) return `  "${name}": []`;
  return `  "${name}": [\n${items.map((item) => `    ${lineOf(item)}`).join(',\n')}\n  ]`;
}

/** Fields in the order of the type, what is in them in the alphabet's. */
const lineOf = (item: object): string =>
  `{${Object.entries(item)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}":${canonicalJson(value)}`)
    .join(',')}}`;
