import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { changingApp } from './changingApp.ts';

/** The number of planted faults. */
export const FAULTS = 40;

/** Plants faults in an app, one after the other: the selected run must name the failures of the full run. Returns how many there were. */
export async function plantFaults(name: 'operations' | 'task-board', files: readonly string[], seed: number) {
  const app = await changingApp(name);
  expect(await app.index()).toMatchObject({ status: 0, err: '' });
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  let [failing, omitted] = [0, 0];
  for (let n = 0; n < FAULTS; n++) {
    const file = pick(files) ?? '';
    const mutation = pick(mutationsOf(await readFile(join(app.folder, file), 'utf8')));
    if (mutation === undefined) continue;
    await app.withSource(file, mutation.text, async () => {
      const full = await app.failures();
      const selected = await app.failures('--changed', 'HEAD');
      const planted = { file, mutation };
      expect({ ...planted, failures: selected.failures }).toEqual({ ...planted, failures: full.failures });
      if (full.failures.length > 0) failing++;
      omitted += selected.omitted;
    });
  }
  return { failing, omitted };
}

/** What a fault replaces, and by what. None of them makes a loop endless. */
const RULES: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/ [<>] /g, (found) => found.replace('>', '>=').replace('<', '<=')],
  [/===|!==/g, (found) => (found === '===' ? '!==' : '===')],
  [/ && | \|\| | \?\? /g, (found) => (found === ' && ' ? ' || ' : ' && ')],
  [/ [-+*] (?!=)/g, (found) => (found === ' + ' ? ' - ' : ' + ')],
  [/\b\d+\b/g, (found) => `${Number(found) + 1}`],
  [/"(\w+)"|'(\w+)'/g, (found) => `${found.slice(0, -1)}x${found.at(-1)}`],
];

/** Returns all faults that can be planted in a text: operators, constants and names in strings. */
const mutationsOf = (text: string) =>
  RULES.flatMap(([pattern, replace]) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
      line: text.slice(0, index).split('\n').length,
      text: `${text.slice(0, index)}${replace(found)}${text.slice(index + found.length)}`,
      what: `${found} → ${replace(found)}`,
    })),
  ).filter(({ line }) => !/^\s*(?:\/?\*|import|export type)/.test(text.split('\n')[line - 1] ?? ''));
