/** What a fault replaces, and by what. None of them makes a loop endless. */
const RULES: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/ [<>] /g, (found) => found.replace('>', '>=').replace('<', '<=')],
  [/===|!==/g, (found) => (found === '===' ? '!==' : '===')],
  [/ && | \|\| | \?\? /g, (found) => (found === ' && ' ? ' || ' : ' && ')],
  [/ [-+*] (?!=)/g, (found) => (found === ' + ' ? ' - ' : ' + ')],
  [/\b\d+\b/g, (found) => `${Number(found) + 1}`],
  [/"(\w+)"|'(\w+)'/g, (found) => `${found.slice(0, -1)}x${found.at(-1)}`],
];

/** A fault that can be planted in a text. */
export interface Mutation {
  readonly line: number;
  readonly text: string;
  readonly what: string;
}

/** Returns all faults that can be planted in a text: operators, constants and names in strings. */
export function mutationsOf(text: string): Mutation[] {
  return RULES.flatMap(([pattern, replace]) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
      line: text.slice(0, index).split('\n').length,
      text: `${text.slice(0, index)}${replace(found)}${text.slice(index + found.length)}`,
      what: `${found} → ${replace(found)}`,
    })),
  ).filter(({ line }) => !/^\s*(?:\/?\*|import|export type)/.test(text.split('\n')[line - 1] ?? ''));
}
