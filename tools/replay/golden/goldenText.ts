import type { Golden } from './golden.ts';
import { visibleJson } from '../base/shownValue.ts';

/**
 * The golden's file: a field, a rejected frame and a step a line, so that a change reads well in a diff. What came in a
 * frame keeps the order that it came in.
 */
export function goldenText({ rejected, steps, ...head }: Golden): string {
  const fields = Object.entries(head).map(([key, value]) => `  "${key}": ${JSON.stringify(value)},\n`);
  const lists = `${list('rejected', rejected)},\n${list('steps', steps)}`;
  return visibleJson(`{\n${fields.join('')}${lists}\n}\n`);
}

function list(name: string, items: readonly object[]): string {
  if (items.length === 0) return `  "${name}": []`;
  return `  "${name}": [\n${items.map((item) => `    ${JSON.stringify(item)}`).join(',\n')}\n  ]`;
}
