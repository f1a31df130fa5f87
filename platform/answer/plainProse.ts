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

/** A run of `*` or `_` among the pieces of a text. */
interface Run {
  readonly index: number;
  readonly character: string;
  length: number;
}

const WORD = /[A-Za-z\d]/;
const SPACE = /\s/;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Collects the plain text of Markdown. Each marker of emphasis is removed with its counterpart, in linear time. */
function createPlainText(text: string) {
  const pieces: string[] = [];
  /** The runs that can begin emphasis. */
  const openers = { '*': new Array<Run>(), _: new Array<Run>() };
  const brackets: number[] = [];

  const put = ({ index, character, length }: Run) => {
    pieces[index] = character.repeat(length);
  };

  return {
    add: (piece: string) => void pieces.push(piece),
    /** Adds a run of `*` or `_` that is at an index of the text. */
    addRun(markers: string, at: number) {
      const character = markers.charAt(0);
      const run: Run = { index: pieces.length, character, length: markers.length };
      const stack = openers[character === '_' ? '_' : '*'];
      const { canOpen, canClose } = flanks(text.charAt(at - 1), text.charAt(at + markers.length), character);
      pieces.push('');
      if (canClose) for (const opener of closeEmphasis(run, stack)) put(opener);
      put(run);
      if (canOpen && run.length > 0) stack.push(run);
    },
    openLink(bracket: string) {
      brackets.push(pieces.length);
      pieces.push(bracket);
    },
    /** Ends the text of a link. Without an address, the brackets are text. */
    closeLink(link: { readonly address: string } | undefined) {
      const opening = brackets.pop();
      if (link !== undefined && opening !== undefined) {
        pieces[opening] = '';
        pieces.push(addressAfter(pieces.slice(opening).join(''), link.address));
      } else pieces.push(']', link === undefined ? '' : `(${link.address})`);
    },
    end(isOpen: boolean) {
      if (!isOpen) return pieces.join('');
      // More characters follow: they close strong emphasis, or make a marker of the asterisks at the end.
      for (const opener of openers['*']) if (opener.length > 1) put({ ...opener, length: 0 });
      const plain = pieces.join('');
      return text.endsWith('*') ? plain.replace(/\*{1,3}$/, '') : plain;
    },
  };
}

/** Removes the markers that a run closes, from both; returns the changed openers. */
function closeEmphasis(run: Run, openers: Run[]): readonly Run[] {
  const changed: Run[] = [];
  for (let opener = openers.at(-1); opener && run.length > 0; opener = openers.at(-1)) {
    const removed = Math.min(run.length, opener.length);
    run.length -= removed;
    opener.length -= removed;
    changed.push(opener);
    if (opener.length === 0) openers.pop();
  }
  return changed;
}

/** Returns what follows the text of a link: its address, unless the text is the address or the address is not allowed. */
function addressAfter(label: string, address: string): string {
  if (address === '' || address === label || `mailto:${label}` === address || hasForbiddenScheme(address))
    return '';
  return label === '' ? address : ` (${address})`;
}

/** Returns whether a run can begin and end emphasis, by the characters around it. Within a word of ASCII, it is text. */
function flanks(before: string, after: string, character: string) {
  const isWithinWord = WORD.test(before) && WORD.test(after);
  const isLeft = isFlanking(after, before);
  const isRight = isFlanking(before, after);
  const isUnderscore = character === '_';
  return {
    canOpen: isLeft && !isWithinWord && !(isUnderscore && isRight && !PUNCTUATION.test(before)),
    canClose: isRight && !isWithinWord && !(isUnderscore && isLeft && !PUNCTUATION.test(after)),
  };
}

const isFlanking = (inner: string, outer: string): boolean =>
  inner !== '' &&
  !SPACE.test(inner) &&
  (!PUNCTUATION.test(inner) || outer === '' || SPACE.test(outer) || PUNCTUATION.test(outer));

/** The address of a link in Markdown, and the number of characters from its opening parenthesis to its closing one. */
interface Link {
  readonly address: string;
  readonly length: number;
}

const DESTINATION =
  /\([ \t\n]*(?:<([^<>\n]{0,2000})>|((?:[^\s()<]|\([^\s()]{0,500}\)){1,2000}))?(?:[ \t\n]+(?:"[^"]{0,500}"|'[^']{0,500}'))?[ \t\n]*\)/y;
const ALLOWED = /^(?:https?:\/\/|mailto:)/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** Returns the link whose address begins with the parenthesis at `at`; `undefined` when there is none. */
function linkAt(text: string, at: number): Link | undefined {
  DESTINATION.lastIndex = at;
  const match = DESTINATION.exec(text);
  return match ? { address: match[1] ?? match[2] ?? '', length: match[0].length } : undefined;
}

/** Returns whether a link may have an address: `http`, `https` or `mailto`. */
export const isAllowedAddress = (address: string): boolean => ALLOWED.test(address);

/** Returns whether an address has a scheme that a link may not have. A relative address has none. */
const hasForbiddenScheme = (address: string): boolean => SCHEME.test(address) && !isAllowedAddress(address);
