import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { parseSync } from 'vite';

const SPECIFICATION = 'docs/specification.md';
/** A line that begins a section: `### Spec §2.1: The sign-in form`. */
const HEADING = /^#+ (?<source>Spec|Contract) §(?<number>[\d.]+): (?<title>.+)$/u;
const SECTION_EXEMPTION = /^\*States no behaviour: /u;
const ROW_EXEMPTION = /\(no test: [^)]+\)/u;

/**
 * Reads all citations of the project and resolves each one to the places of the specification that it names.
 *
 * @param {string} root the project's folder
 * @returns {{ sections: object[], citations: { path: string, test: string | undefined, places: object[] }[], count: number, dangling: string[] }}
 *   `sections`: the specification's. `test`: the title of the test that cites. `count`: the number of citations outside of the
 *   specification. `dangling`: one line for each citation that the specification does not have.
 */
export function resolveCitations(root) {
  const sections = readSpecification(readFileSync(join(root, SPECIFICATION), 'utf8'));
  const citations = readCitations(root).map(({ path, line, test, section, rows }) => {
    const { places, unknown } = resolveCitation(sections, { section, rows });
    return { path, line, test, places, unknown };
  });
  const dangling = citations.flatMap(({ path, line, unknown }) =>
    unknown.map((name) => `${path}:${line}: the specification has no ${name}`),
  );
  return {
    sections,
    citations: citations.map(({ path, test, places }) => ({ path, test, places })),
    count: citations.filter(({ path, test }) => path !== SPECIFICATION && test === undefined).length,
    dangling: [...new Set(dangling)],
  };
}

/**
 * Reads the sections of the specification and the rows of each one.
 *
 * @param {string} text - docs/specification.md
 * @returns {{ name: string, title: string, isExempt: boolean, rows: { names: string[], isExempt: boolean }[] }[]} A section
 *   is named as citations name it, `spec §2.1`. The first name of a row is the one to show; the others are numbers by
 *   which it can be cited. What is exempt needs no test.
 */
function readSpecification(text) {
  const sections = [];
  for (const line of withoutCode(text)) {
    const heading = HEADING.exec(line)?.groups;
    const section = sections.at(-1);
    if (heading !== undefined) {
      const name = `${heading.source.toLowerCase()} §${heading.number}`;
      sections.push({ name, title: heading.title, isExempt: false, rows: [] });
    } else if (section !== undefined && SECTION_EXEMPTION.test(line)) section.isExempt = true;
    else if (section !== undefined) addRow(section, line);
  }
  return sections;
}

/** Yields the lines of a Markdown text, without those of code blocks and without the headers of tables. */
function* withoutCode(text) {
  let isCode = false;
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('```')) isCode = !isCode;
    else if (!isCode && !/^\|[-:| ]+\|$/u.test(lines[index + 1] ?? '')) yield line;
  }
}

function addRow(section, line) {
  const isExempt = ROW_EXEMPTION.test(line);
  const add = (...names) => section.rows.push({ names, isExempt });
  const cell = /^\| (?<cell>[^|]+?) \|/u.exec(line)?.groups.cell;
  const item = /^(?<number>\d+)\. /u.exec(line)?.groups.number;
  const label = /^- \*\*(?<label>[^*]+)\*\*/u.exec(line)?.groups.label;
  const count = section.rows.filter(({ names }) => names.at(-1).startsWith('row ')).length;
  if (cell !== undefined) add(cell.replaceAll('`', ''), `row ${count + 1}`);
  else if (item !== undefined) add(`item ${item}`);
  else if (label !== undefined) add(label);
}

/**
 * Resolves a citation to the places of the specification that it names.
 *
 * @param {ReturnType<typeof import('./readSpecification.mjs').readSpecification>} sections
 * @param {{ section: string, rows: string[] }} citation - `spec §4.4.1` is item 1 of `spec §4.4`
 * @returns {{ places: { section: object, row: object | undefined }[], unknown: string[] }} `places`: each row that is cited,
 *   or the section alone. `unknown`: the parts that the specification does not have.
 */
function resolveCitation(sections, { section: name, rows }) {
  const section = sections.find((one) => one.name === name);
  if (section === undefined) return resolveItem(sections, name);
  if (rows.length === 0) return { places: [{ section, row: undefined }], unknown: [] };
  const found = rows.map((row) => ({ name: row, row: rowNamed(section, row) }));
  return {
    places: found.filter(({ row }) => row !== undefined).map(({ row }) => ({ section, row })),
    unknown: found.filter(({ row }) => row === undefined).map((one) => `${name} ${one.name}`),
  };
}

function resolveItem(sections, name) {
  const { parent, number } = /^(?<parent>.+)\.(?<number>\d+)$/u.exec(name)?.groups ?? {};
  const section = sections.find((one) => one.name === parent);
  const row = section && rowNamed(section, `item ${number}`);
  return row === undefined ? { places: [], unknown: [name] } : { places: [{ section, row }], unknown: [] };
}

const rowNamed = (section, name) => section.rows.find(({ names }) => names.includes(name));

/** Where citations may be; installed and generated files are not among them. */
const TEXTS = [
  '{src,tools,platform,hostauth,sim,bench,soak,tests,scripts,packaging,bin}/**/*.{ts,tsx,mjs,css,html}',
  'docs/**/*.md',
  '*.{md,config.ts}',
];
const IGNORED = ['**/node_modules/**', '**/out/**', 'docs/conformance.md'];
/** The checker and its tests contain examples. */
const CHECKER = ['scripts/{citations,checkCitations}.mjs', 'scripts/checks.slow.test.ts'];

const SECTION =
  /(?<before>\b(?:spec|contract|RFC \d+|Debian Policy) )?§(?<number>\d+(?:\.\d+)*)(?<rows>,? (?:row|item)s? \d+(?: and \d+)?)?/giu;

const PREFIX = /^(?<cited>(?:spec|contract) §.*?): /u;

/** The functions whose first argument is a title. */
const TITLED = new Set(['describe', 'it', 'suite', 'test']);

/**
 * Reads all citations of the project.
 *
 * @param {string} root the project's folder
 * @returns {{ path: string, line: number, section: string, rows: string[], test: string | undefined }[]} `test`: the title of
 *   the test that cites, after those of the `describe`s around it, without the citations.
 */
function readCitations(root) {
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

/**
 * Finds the citations in a text: `spec §2.1`, `spec §7 row 1`, `spec §6.1 rows 5 and 6`, `contract §5`. In the same line the
 * document need not be repeated: `spec §2.5 and §2.6`. Sections of RFCs and of Debian's policy are not citations.
 *
 * @param {string} text
 * @returns {{ section: string, rows: string[], line: number }[]} Each section, as `spec §2.1`, with the rows of it that are
 *   named (`row 5`, `item 2`). A section without a document has the document `?`.
 */
function findCitations(text) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      findInLine(line).map(({ section, rows }) => ({ section, rows, line: index + 1 })),
    );
}

function findInLine(line) {
  const found = [];
  let source = '?';
  for (const { groups } of line.matchAll(SECTION)) {
    const before = groups.before?.trim().toLowerCase();
    if (before === 'spec' || before === 'contract') source = before;
    else if (before !== undefined) continue;
    found.push({ section: `${source} §${groups.number}`, rows: rowNames(groups.rows) });
  }
  return found;
}

/** Splits ` rows 5 and 6` into `row 5` and `row 6`. */
const rowNames = (text = '') =>
  Array.from(text.matchAll(/\d+/gu), ([number]) => `${text.includes('row') ? 'row' : 'item'} ${number}`);

/**
 * Reads the citations in a test title. Its beginning may name the rows that the test checks, by number or by name:
 * `spec §2.3 text, blob, contract §3 sending: …`.
 *
 * @param {string} title
 * @returns {{ section: string, rows: string[] }[]}
 */
function readTitle(title) {
  const prefix = PREFIX.exec(title)?.groups.cited ?? '';
  const rest = findCitations(title.slice(prefix.length));
  if (prefix === '') return rest;
  const found = [];
  let source = '';
  for (const part of prefix.replaceAll('`', '').split(/, | and /u)) {
    const cited = /^(?:(?<source>spec|contract) )?§(?<number>[\d.]+)(?: (?<row>.+))?$/u.exec(part)?.groups;
    if (cited === undefined) {
      found.at(-1).rows.push(rowAfter(found.at(-1).rows.at(-1), part));
      continue;
    }
    source = cited.source ?? source;
    const row = cited.row?.replace(/^(?<kind>row|item)s (?=\d)/u, '$<kind> ');
    found.push({ section: `${source} §${cited.number}`, rows: row === undefined ? [] : [row] });
  }
  return [...found, ...rest];
}

/** Removes from a test title the citations that it begins with. */
const withoutCitations = (title) => title.replace(PREFIX, '');

/** Names the second row of `rows 5 and 6`: it is a number, of the same kind as the first. */
const rowAfter = (previous = '', row) => (/^\d+$/u.test(row) ? `${previous.split(' ')[0]} ${row}` : row);

/**
 * Reads the tests of a source file from its syntax tree.
 *
 * @param {string} path - Where the file is; its extension selects the syntax.
 * @param {string} source
 * @returns {{ titles: string[], line: number }[]} Each test with its title last, after the titles of the `describe`s
 *   around it. A title is as it is written: `%s` and `$name` stay.
 */
function readTests(path, source) {
  const { errors, program } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`);
  const found = [];
  visit(program, [], found);
  return found.map(({ titles, start }) => ({
    titles,
    line: source.slice(0, start).split('\n').length,
  }));
}

/** Visits a node and all below it; adds the tests that it finds to `found`. */
function visit(node, titles, found) {
  if (Array.isArray(node)) {
    for (const child of node) visit(child, titles, found);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const title = titleOf(node);
  const inside = title === undefined ? titles : [...titles, title];
  if (title !== undefined && !isGroup(node)) found.push({ titles: inside, start: node.start });
  for (const child of Object.values(node)) visit(child, inside, found);
}

/** Returns the title of a call like `it('…', …)` or `describe.each(…)('…', …)`. */
function titleOf(node) {
  if (node.type !== 'CallExpression' || !TITLED.has(functionName(node.callee))) return undefined;
  const [title] = node.arguments;
  if (title?.type === 'Literal' && typeof title.value === 'string') return title.value;
  if (title?.type !== 'TemplateLiteral') return undefined;
  return title.quasis.map(({ value }) => value.cooked).join('…');
}

const isGroup = (node) => /^(?:describe|suite)$/u.test(functionName(node.callee));

/** Returns the name that an expression like `it.each(…)` begins with. */
function functionName(node) {
  if (node.type === 'Identifier') return node.name;
  const inner = node.object ?? node.callee ?? node.tag;
  return inner === undefined ? '' : functionName(inner);
}
