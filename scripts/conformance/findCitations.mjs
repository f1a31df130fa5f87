const SECTION =
  /(?<before>\b(?:spec|contract|RFC \d+|Debian Policy) )?§(?<number>\d+(?:\.\d+)*)(?<rows>,? (?:row|item)s? \d+(?: and \d+)?)?/giu;

const PREFIX = /^(?<cited>(?:spec|contract) §.*?): /u;

/**
 * Finds the citations in a text: `spec §2.1`, `spec §7 row 1`, `spec §6.1 rows 5 and 6`, `contract §5`. In the same line the
 * document need not be repeated: `spec §2.5 and §2.6`. Sections of RFCs and of Debian's policy are not citations.
 *
 * @param {string} text
 * @returns {{ section: string, rows: string[], line: number }[]} Each section, as `spec §2.1`, with the rows of it that are
 *   named (`row 5`, `item 2`). A section without a document has the document `?`.
 */
export function findCitations(text) {
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
export function readTitle(title) {
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
export const withoutCitations = (title) => title.replace(PREFIX, '');

/** Names the second row of `rows 5 and 6`: it is a number, of the same kind as the first. */
const rowAfter = (previous = '', row) => (/^\d+$/u.test(row) ? `${previous.split(' ')[0]} ${row}` : row);
