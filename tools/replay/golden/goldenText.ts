import type { Golden } from './golden.ts';
import { visibleJson } from '../base/visibleText.ts';

/**
 * Formats a golden with one line for each field, also of the state after the end, change of the connection and of the acts' state, rejected frame and step, so that diffs are readable. Values from frames
 * keep their order.
 */
export function goldenText({ connection, acts, rejected, steps, ended, ...head }: Golden): string {
  const fields = Object.entries(head).map(([key, value]) => `  "${key}": ${JSON.stringify(value)},\n`);
  const lists = [
    list('connection', connection),
    list('acts', acts),
    list('rejected', rejected),
    list('steps', steps),
    ...(ended === undefined ? [] : [object('ended', ended)]),
  ].join(',\n');
  return visibleJson(`{\n${fields.join('')}${lists}\n}\n`);
}

function list(name: string, items: readonly object[]): string {
  if (items.length === 0) return `  "${name}": []`;
  return `  "${name}": [\n${items.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
}

const object = (name: string, fields: object): string =>
  `  "${name}": {\n${Object.entries(fields)
    .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n  }`;
