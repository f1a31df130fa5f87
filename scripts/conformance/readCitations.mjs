import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { findCitations, readTitle, withoutCitations } from './findCitations.mjs';
import { readTests } from './readTests.mjs';

/** Where citations may be; installed and generated files are not among them. */
const TEXTS = [
  '{src,tools,platform,hostauth,bench,soak,tests,scripts,packaging,bin}/**/*.{ts,tsx,mjs,css,html}',
  'docs/**/*.md',
  '*.{md,config.ts}',
];
const IGNORED = ['**/node_modules/**', '**/out/**', 'docs/conformance.md'];
/** The checker and its tests contain examples. */
const CHECKER = ['scripts/conformance/**', 'scripts/{checkCitations,checkShape}.test.ts'];

/**
 * Reads all citations of the project.
 *
 * @param {string} root the project's folder
 * @returns {{ path: string, line: number, section: string, rows: string[], test: string | undefined }[]} `test`: the title of
 *   the test that cites, after those of the `describe`s around it, without the citations.
 */
export function readCitations(root) {
  const paths = globSync(TEXTS, { cwd: root, ignore: [...IGNORED, ...CHECKER] }).toSorted();
  return paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const tests = /\.test\.tsx?$/u.test(path) ? readTests(path, text) : [];
    const citations = [...findCitations(text), ...tests.flatMap(citationsOf)];
    return citations.map(({ line, section, rows, test }) => ({ path, line, section, rows, test }));
  });
}

function citationsOf({ titles, line }) {
  const test = titles.map(withoutCitations).join(' › ');
  return titles.flatMap(readTitle).map(({ section, rows }) => ({ section, rows, line, test }));
}
