import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { EQUIVALENT_MUTATIONS } from './equivalentMutations.mjs';

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

const listed = EQUIVALENT_MUTATIONS.flatMap(({ mutations }) => mutations);

/**
 * Creates a function that returns whether a mutation is on the list of equivalent ones, and remembers it. The function `unused` returns the entries of the
 * list that were no mutation of these files.
 *
 * @param {readonly string[]} files the mutated files.
 */
export function equivalence(files) {
  const lines = new Map(files.map((file) => [file, readFileSync(file, 'utf8').split('\n')]));
  const used = new Set();
  const codeOf = (file, { start, end }) => {
    const part = lines.get(file).slice(start.line - 1, end.line);
    part[part.length - 1] = part.at(-1).slice(0, end.column - 1);
    part[0] = part[0].slice(start.column - 1);
    return oneLine(part.join('\n'));
  };
  return {
    isEquivalent({ fileName, location, replacement }) {
      const file = relative('', fileName);
      const code = codeOf(file, location);
      const entry = listed.find(
        (one) => one.file === file && one.code === code && one.replacement === oneLine(replacement),
      );
      if (entry !== undefined) used.add(entry);
      return entry !== undefined;
    },
    unused: () => listed.filter((entry) => files.includes(entry.file) && !used.has(entry)),
  };
}
