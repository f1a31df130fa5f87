/**
 * Checks that each citation of the specification (`spec §2.1`, `contract §5`) in code, tests and documents resolves, that each
 * section and row has tests, and that each section has code.
 *
 *   node scripts/checkCitations.mjs [folder of the project]            one line on stderr for each fault
 *   node scripts/checkCitations.mjs --write [folder of the project]    also writes docs/conformance.md: which tests check each row
 *
 * Exit status: 0 no fault, 1 a fault, 2 bad usage or a file that cannot be read.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { resolveCitations } from './citations.mjs';
import { runScript } from './runScript.mjs';

/** The file that `npm run conformance` writes; it is not committed. */
const CONFORMANCE = 'docs/conformance.md';

const INTRODUCTION = `# Conformance

Which tests check each section of the [specification](specification.md). \`npm run conformance\` writes this page from the titles of the tests; change
the titles, not this page.
`;

/**
 * Compares the project's citations with its specification.
 *
 * @param {string} root the project's folder
 * @returns {{ markdown: string, faults: string[] }} `markdown`: the page that lists the tests of each section. `faults`: one
 *   line for each citation that the specification does not have, and for each section or row that lacks a test or code.
 */
export function conformance(root) {
  const { sections, citations, dangling } = resolveCitations(root);
  const leaves = sections.filter(({ name }) => !sections.some((other) => other.name.startsWith(`${name}.`)));
  const covered = leaves.map((section) => coverage(section, citations));
  return {
    markdown: INTRODUCTION + covered.map(markdownOf).join(''),
    faults: [...dangling, ...covered.flatMap(faultsOf)],
  };
}

/** Finds the citations of a section: tests of each row, tests of the whole section, and code. */
function coverage(section, citations) {
  const places = citations.flatMap(({ path, test, places: cited }) =>
    cited
      .filter((place) => place.section === section)
      .map(({ row }) => ({ path, row, test: test && `${path} › ${test}` })),
  );
  const tests = places.filter(({ test }) => test !== undefined);
  const testsOf = (row) => new Set(tests.filter((place) => place.row === row).map(({ test }) => test));
  const rows = section.rows.map((row) => ({ row, tests: testsOf(row) }));
  return {
    section,
    rows,
    others: [...testsOf(undefined)].filter((test) => !rows.some((row) => row.tests.has(test))),
    hasCode: places.some(({ path }) => !/\.md$|\.test\.tsx?$|^tests\//u.test(path)),
  };
}

function faultsOf({ section, rows, others, hasCode }) {
  if (section.isExempt) return [];
  const untested = rows.filter(({ row, tests }) => tests.size === 0 && !row.isExempt);
  const isUntested = others.length === 0 && rows.every(({ tests }) => tests.size === 0);
  return [
    ...(hasCode ? [] : [`no code cites ${section.name}`]),
    ...(isUntested
      ? [`no test title cites ${section.name}`]
      : untested.map(({ row }) => `no test title cites ${section.name} ${row.names[0]}`)),
  ];
}

function markdownOf({ section, rows, others }) {
  const heading = `\n## ${section.name[0].toUpperCase()}${section.name.slice(1)}: ${section.title}\n\n`;
  if (section.isExempt) return `${heading}States no behaviour.\n`;
  const listed = rows.map(({ row, tests }) => ({ name: row.names[0], tests: [...tests] }));
  if (others.length > 0) listed.push({ name: rows.length > 0 ? 'other tests' : 'all', tests: others });
  return `${heading}| row | tests |\n|---|---|\n${listed.map(tableRow).join('')}`;
}

const tableRow = ({ name, tests }) =>
  `| ${name} | ${tests.length > 0 ? tests.map(cellText).join('<br>') : 'none; the specification says why'} |\n`;

const cellText = (text) =>
  text
    .replaceAll('|', String.raw`\|`)
    .replaceAll('<', '&lt;')
    .replaceAll('\n', ' ');

runScript(import.meta, {
  usage: 'node scripts/checkCitations.mjs [--write] [folder of the project]',
  script(root = resolve(import.meta.dirname, '..'), { write }) {
    const { markdown, faults } = conformance(root);
    if (!write) return { faults };
    writeFileSync(join(root, CONFORMANCE), markdown);
    return { output: `Written: ${CONFORMANCE}\n`, faults };
  },
  options: { write: { type: 'boolean' } },
});
