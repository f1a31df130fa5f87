import { createPlainText } from './createPlainText.ts';
import { linkAt } from './linkAt.ts';

/** The characters with a meaning in prose, and spaces around line ends. */
const SPECIAL = /[*_`[\]<&\\]|[ \t]\n|\n[ \t]/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const UNDERLINE = /\n {0,3}(?:=+|-+)[ \t]*$/;
const ESCAPED = /\\([!-/:-@[-`{-~\n])/y;
const RUN = /\*+|_+|`+/y;
const PLAIN = /[^*_`[\]<&\\!]+|[^]/y;
const AUTOLINK = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/iy;
const BREAK = /<br[ \t]{0,9}\/?>/iy;
const ENTITY = /&(amp|lt|gt|quot|nbsp|#39);/y;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00A0',
  '#39': "'",
};

/**
 * Returns a paragraph or a heading of Markdown as plain text: without the markers of headings and emphasis, and a link as its text and its
 * address. Code keeps its backticks and a deletion its tildes, because they change the meaning. HTML is text.
 *
 * @param isOpen whether more characters follow: a marker of strong emphasis that is not closed yet is hidden.
 */
export function plainProse(markdown: string, isOpen: boolean): string {
  const text = withoutHeading(markdown).trim();
  if (!SPECIAL.test(text)) return text;
  const plain = scan(text, isOpen);
  // Every paragraph has a text: an item that was shown stays.
  return plain === '' && !isOpen ? text : plain;
}

const withoutHeading = (markdown: string): string =>
  HEADING.test(markdown)
    ? markdown.replace(HEADING, '').replace(/(?:^|[ \t])#+[ \t]*$/, '')
    : markdown.replace(UNDERLINE, '');

function scan(text: string, isOpen: boolean): string {
  const plain = createPlainText(text);
  const endOfCode = createCodeFinder(text);
  for (let at = 0; at < text.length;) {
    const run = matchAt(RUN, text, at)?.[0];
    if (run !== undefined && !run.startsWith('`')) plain.addRun(run, at);
    const code = run?.startsWith('`') ? text.slice(at, endOfCode(at, run.length)) : undefined;
    const taken = run === undefined ? takeOther(text, at, plain) : (code ?? run).length;
    if (code !== undefined) plain.add(code);
    at += taken;
  }
  return plain
    .end(isOpen)
    .replaceAll(/[ \t]+\n|\n[ \t]+/g, '\n')
    .trim();
}

/** Adds what begins at `at`, except markers and code; returns the number of its characters. */
function takeOther(text: string, at: number, plain: ReturnType<typeof createPlainText>): number {
  const bracket = /!?\[/y;
  const opening = matchAt(bracket, text, at)?.[0];
  if (opening !== undefined) {
    plain.openLink(opening);
    return opening.length;
  }
  if (text.startsWith(']', at)) {
    const link = linkAt(text, at + 1);
    plain.closeLink(link);
    return 1 + (link?.length ?? 0);
  }
  const [source, replacement] = literalAt(text, at);
  plain.add(replacement);
  return source.length;
}

/** Returns the source of a literal and its text. */
function literalAt(text: string, at: number): readonly [source: string, replacement: string] {
  const escaped = matchAt(ESCAPED, text, at);
  // Formulas are often written between escaped brackets.
  if (escaped) return [escaped[0], /[()[\]]/.test(escaped[0]) ? escaped[0] : (escaped[1] ?? '')];
  const address = matchAt(AUTOLINK, text, at);
  if (address) return [address[0], address[1] ?? ''];
  const lineBreak = matchAt(BREAK, text, at);
  if (lineBreak) return [lineBreak[0], '\n'];
  const entity = matchAt(ENTITY, text, at);
  if (entity) return [entity[0], ENTITIES[entity[1] ?? ''] ?? ''];
  const plain = matchAt(PLAIN, text, at)?.[0] ?? text.charAt(at);
  return [plain, plain];
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns a function that finds the end of the code that begins with `ticks` backticks at an index. */
function createCodeFinder(text: string) {
  const unclosed = new Set<number>();
  return (at: number, ticks: number): number => {
    const run = '`'.repeat(ticks);
    let from = unclosed.has(ticks) ? -1 : text.indexOf(run, at + ticks);
    while (from !== -1) {
      const end = endOfTicks(text, from);
      if (end - from === ticks) return end;
      from = text.indexOf(run, end);
    }
    unclosed.add(ticks);
    return at + ticks;
  };
}

function endOfTicks(text: string, from: number): number {
  let end = from;
  while (text[end] === '`') end += 1;
  return end;
}
