import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCitations } from './readCitations.mjs';

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
