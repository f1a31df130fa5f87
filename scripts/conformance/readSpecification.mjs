/** A line that begins a section: `### Spec §2.1: The sign-in form`. */
const HEADING = /^#+ (?<source>Spec|Contract) §(?<number>[\d.]+): (?<title>.+)$/u;
const SECTION_EXEMPTION = /^\*States no behaviour: /u;
const ROW_EXEMPTION = /\(no test: [^)]+\)/u;

/**
 * Reads the sections of the specification and the rows of each one.
 *
 * @param {string} text - docs/specification.md
 * @returns {{ name: string, title: string, isExempt: boolean, rows: { names: string[], isExempt: boolean }[] }[]} A section
 *   is named as citations name it, `spec §2.1`. The first name of a row is the one to show; the others are numbers by
 *   which it can be cited. What is exempt needs no test.
 */
export function readSpecification(text) {
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
