import createMarkdownIt, { type StateBlock, type StateInline } from 'markdown-it';

/** Maximum depth of blocks within each other, in markdown-it's levels: a list has two. */
export const MOST_LEVELS = 60;

/** What the rules of blocks know of the source. */
export interface BlockEnv {
  /** Whether more of the source may follow: a formula without an end is one already. */
  readonly isGrowing: boolean;
  /** The number of its lines; set by the parser. */
  lineCount: number;
  /** The first line of a formula whose end may follow; `Infinity` when there is none. Set by the parser. */
  openFormula: number;
}

/** What the rules of lines know. */
export interface InlineEnv {
  /** The link definitions, as markdown-it needs them. */
  readonly references: Record<string, { readonly title: string; readonly href: string }>;
  /** The numbers of the footnotes by their normalized labels. */
  readonly notes: ReadonlyMap<string, number>;
}

/** The parser with GitHub's rules, without HTML, and with formulas and footnotes. */
export const markdownIt = createMarkdownIt('default', {
  html: false,
  linkify: true,
  maxNesting: MOST_LEVELS,
});

// Other addresses make links without an address: their source would be shown otherwise.
markdownIt.validateLink = () => true;
markdownIt.normalizeLink = (address) => address;
markdownIt.normalizeLinkText = (text) => text;
markdownIt.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
markdownIt.disable(['replacements', 'smartquotes', 'html_block', 'html_inline']);

/** Returns a label as it is compared: without case, and with single spaces. */
export const normalizeLabel = (label: string): string => markdownIt.utils.normalizeReference(label);

/** The parser's own rule for definitions of links. */
const reference = ruleOf('reference');

const interrupts = ['paragraph', 'reference', 'blockquote', 'list'];
markdownIt.block.ruler.before('fence', 'math', mathBlock, { alt: interrupts });
markdownIt.block.ruler.before('reference', 'note', noteBlock, { alt: interrupts });
markdownIt.block.ruler.at('reference', definition);
markdownIt.inline.ruler.before('escape', 'mathText', mathText);
markdownIt.inline.ruler.before('emphasis', 'identifier', identifier);
markdownIt.inline.ruler.before('link', 'noteReference', noteReference);
markdownIt.inline.ruler.before('autolink', 'breakElement', breakElement);

/** What the parser gives a rule of blocks. */
type RuleArguments = readonly [state: StateBlock, start: number, end: number, silent: boolean];

/** Returns a rule of the parser. */
function ruleOf(name: string): (...rule: RuleArguments) => boolean {
  const found = markdownIt.block.ruler.__rules__.find((rule) => rule.name === name);
  if (found === undefined) throw new Error(`markdown-it has no rule ${name}.`);
  return found.fn;
}

const lineAt = (state: StateBlock, line: number): string =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);

const isIndented = (state: StateBlock, line: number): boolean =>
  (state.sCount[line] ?? 0) - state.blkIndent >= 4;

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['$$', '$$'],
  [String.raw`\[`, String.raw`\]`],
]);

/** Parses a formula in lines of its own: `$$ … $$` or `\[ … \]`. */
function mathBlock(...[state, start, end, silent]: RuleArguments): boolean {
  const closing = CLOSING.get(lineAt(state, start).slice(0, 2));
  if (closing === undefined || isIndented(state, start)) return false;
  const last = mathEnd(state, start, { end, closing });
  if (last === null || silent) return last !== null;
  const next = Math.min(last + 1, end);
  const isComplete = last < end;
  const lines = state.getLines(start, next, state.blkIndent, false).trim();
  const token = state.push('math_block', 'math', 0);
  token.content = lines.slice(2, isComplete ? -2 : undefined).trim();
  token.meta = { isComplete };
  token.map = [start, next];
  state.line = next;
  return true;
}

/** The lines in which no end of a formula was found: a search from a later one of them would read them again. */
const withoutEnd = new WeakMap<StateBlock, Map<string, { readonly start: number; readonly end: number }>>();

interface MathRange {
  readonly end: number;
  readonly closing: string;
}

/** Returns the last line of a formula; `end` when the formula is open and may still grow; `null` when it is none. */
function mathEnd(state: StateBlock, start: number, { end, closing }: MathRange): number | null {
  const first = lineAt(state, start).trimEnd();
  const at = first.indexOf(closing, 2);
  if (at !== -1) return at > 2 && at === first.length - 2 ? start : null;
  const searched =
    withoutEnd.get(state) ?? new Map<string, { readonly start: number; readonly end: number }>();
  withoutEnd.set(state, searched);
  const known = searched.get(closing);
  if (known !== undefined && start > known.start && start < known.end) return null;
  let line = start + 1;
  for (; line < end; line++) {
    if ((state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line)) break;
    if (lineAt(state, line).trimEnd().endsWith(closing)) return line;
  }
  searched.set(closing, { start, end: line });
  if (line !== state.env['lineCount']) return null;
  state.env['openFormula'] = Math.min(start, Number(state.env['openFormula']));
  return state.env['isGrowing'] === true ? end : null;
}

const NOTE_START = /^\[\^([^\]\s[]{1,100})\]:(?: |\t|$)/u;

/** Parses the definition of a footnote. Further paragraphs of it are indented by four spaces. */
function noteBlock(...[state, start, end, silent]: RuleArguments): boolean {
  if (isIndented(state, start)) return false;
  const match = NOTE_START.exec(lineAt(state, start));
  if (match === null) return false;
  if (silent) return true;
  let next = start + 1;
  while (next < end && isInNote(state, next, end)) next += 1;
  const open = state.push('note_open', 'section', 1);
  open.meta = { label: match[1] };
  open.map = [start, next];
  const shift = state.tShift[start] ?? 0;
  const { parentType, blkIndent, tight } = state;
  const saved = { mark: state.bMarks[start] ?? 0, shift, count: state.sCount[start] ?? 0 };
  state.bMarks[start] = saved.mark + shift + match[0].length;
  state.tShift[start] =
    /^[ \t]*/u.exec(state.src.slice(state.bMarks[start], state.eMarks[start]))?.[0].length ?? 0;
  state.sCount[start] = blkIndent + 4;
  state.blkIndent = blkIndent + 4;
  state.parentType = 'note';
  state.md.block.tokenize(state, start, next);
  Object.assign(state, { parentType, blkIndent, tight });
  state.bMarks[start] = saved.mark;
  state.tShift[start] = saved.shift;
  state.sCount[start] = saved.count;
  state.push('note_close', 'section', -1);
  state.line = next;
  return true;
}

/** Returns whether a line continues a footnote: it is indented, or it is blank and an indented line follows. */
function isInNote(state: StateBlock, line: number, end: number): boolean {
  let next = line;
  while (next < end && state.isEmpty(next)) next += 1;
  return next < end && isIndented(state, next);
}

/** Parses the definition of a link; adds its address to its token, also when an earlier definition has the same label. */
function definition(...[state, start, end, silent]: RuleArguments): boolean {
  const { env } = state;
  const references: Record<string, { readonly href: string; readonly title: string }> = {};
  state.env = { references };
  const isDefinition = reference(state, start, end, silent);
  state.env = env;
  const [entry] = Object.entries(references);
  const token = state.tokens.at(-1);
  if (entry !== undefined && token !== undefined) token.meta = { label: entry[0], address: entry[1].href };
  return isDefinition;
}

/** Parses a formula within a line: `$…$`, `$$…$$`, `\(…\)` or `\[…\]`. */
function mathText(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const code = src.charCodeAt(pos);
  if (code === DOLLAR) return dollarMath(state, silent);
  if (code !== BACKSLASH) return false;
  const closing = BRACKETS.get(src.charAt(pos + 1));
  const end = closing === undefined ? -1 : indexOfClosing(state, closing, pos + 2);
  if (end <= pos + 2) return false;
  return addMath(state, silent, { start: pos + 2, end, isDisplay: src.charAt(pos + 1) === '[' });
}

const DOLLAR = 36;
const BACKSLASH = 92;
const BRACKETS: ReadonlyMap<string, string> = new Map([
  ['(', String.raw`\)`],
  ['[', String.raw`\]`],
]);

/**
 * Parses a formula between dollar signs. A dollar sign within a word, before a space or before a digit that follows the formula is money or a shell's
 * variable, as GitHub and Pandoc have it.
 */
function dollarMath(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.startsWith('$$', pos)) {
    const end = indexOfClosing(state, '$$', pos + 2);
    return end > pos + 2 && addMath(state, silent, { start: pos + 2, end, isDisplay: true });
  }
  if (/[\s$]/u.test(src.charAt(pos + 1)) || /[\p{L}\p{N}$]/u.test(src.charAt(pos - 1))) return false;
  const end = indexOfClosing(state, '$', pos + 1);
  if (end === -1 || /\s/u.test(src.charAt(end - 1)) || /[\p{L}\p{N}$]/u.test(src.charAt(end + 1)))
    return false;
  return addMath(state, silent, { start: pos + 1, end, isDisplay: false });
}

/** The closing characters that a text does not have any more. */
const missing = new WeakMap<StateInline, Set<string>>();

/** Returns the index of closing characters that are not escaped, or -1. Reads the text at most once when there are none. */
function indexOfClosing(state: StateInline, closing: string, from: number): number {
  const known = missing.get(state) ?? new Set();
  missing.set(state, known);
  if (known.has(closing)) return -1;
  let at = state.src.indexOf(closing, from);
  if (closing === '$')
    while (at !== -1 && state.src.charCodeAt(at - 1) === BACKSLASH) at = state.src.indexOf(closing, at + 1);
  if (at === -1) known.add(closing);
  return at === -1 || at + closing.length > state.posMax ? -1 : at;
}

interface MathText {
  readonly start: number;
  readonly end: number;
  readonly isDisplay: boolean;
}

function addMath(state: StateInline, silent: boolean, { start, end, isDisplay }: MathText): boolean {
  const tex = state.src.slice(start, end).trim();
  if (tex === '') return false;
  if (!silent) {
    const token = state.push('math', 'math', 0);
    token.content = tex;
    token.meta = { isDisplay };
  }
  state.pos = end + (state.src.startsWith('$', end) && !isDisplay ? 1 : 2);
  return true;
}

const IDENTIFIER = /__[A-Za-z][A-Za-z\d_]*__(?![A-Za-z\d_])/uy;

/** Keeps two underscores around one identifier as text: `__init__`. The only difference from GitHub's rules. */
function identifier(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== UNDERSCORE || /\w/u.test(state.src.charAt(state.pos - 1)))
    return false;
  IDENTIFIER.lastIndex = state.pos;
  const match = IDENTIFIER.exec(state.src);
  if (match === null || IDENTIFIER.lastIndex > state.posMax) return false;
  if (!silent) state.pending += match[0];
  state.pos += match[0].length;
  return true;
}

const UNDERSCORE = 95;
const NOTE_REFERENCE = /\[\^([^\]\s[]{1,100})\]/uy;

function noteReference(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('[^', state.pos)) return false;
  NOTE_REFERENCE.lastIndex = state.pos;
  const [source, label = ''] = NOTE_REFERENCE.exec(state.src) ?? [];
  const { notes } = state.env;
  const number: unknown = notes instanceof Map ? notes.get(normalizeLabel(label)) : undefined;
  if (source === undefined || number === undefined) return false;
  if (!silent) state.push('note_reference', 'sup', 0).meta = { label: normalizeLabel(label), number };
  state.pos += source.length;
  return true;
}

const BREAK = /<br ?\/?>/iuy;

/** Breaks a line at `<br>`: the only way to do so in the cell of a table. */
function breakElement(state: StateInline, silent: boolean): boolean {
  BREAK.lastIndex = state.pos;
  const match = BREAK.exec(state.src);
  if (match === null) return false;
  if (!silent) state.push('hardbreak', 'br', 0);
  state.pos += match[0].length;
  return true;
}
