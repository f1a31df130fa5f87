/** Characters that join the one before them in Unicode's composed form: marks of letters and of kana, and Hangul's vowels and finals. */
const JOINING = String.raw`\u0300-\u036F\u0653-\u0655\u1161-\u1175\u11A8-\u11C2\u3099\u309A`;
const PARTS = new RegExp(String.raw`\s+|\S[${JOINING}\p{M}]*`, 'gu');
const NOT_WITHIN_CHARACTER = `(?![${JOINING}])`;
/** Maximum number of joining characters of one letter whose order may differ. */
const MOST_ORDERED = 3;

/**
 * Returns the pattern that finds a text in others, or `null` when the text has no visible character. It ignores case, matches composed and
 * decomposed characters alike, and white space of any length. Its hits do not end within a character.
 */
export function searchPattern(text: string): RegExp | null {
  if (text.trim() === '') return null;
  const parts = text.normalize('NFD').match(PARTS) ?? [];
  const source = parts.map((part, at) => {
    if (part.trim() !== '') return alternatives(formsOf(part));
    // One character at the ends: from each space of a long row, a search would run to the row's end.
    return at === 0 || at === parts.length - 1 ? String.raw`\s` : String.raw`\s+`;
  });
  return new RegExp(source.join('') + NOT_WITHIN_CHARACTER, 'giu');
}

/** Returns the composed, decomposed and partly composed forms of one decomposed character. */
function formsOf(decomposed: string): readonly string[] {
  const composed = decomposed.normalize('NFC');
  const [base = '', ...joining] = decomposed;
  const orders = joining.length <= MOST_ORDERED ? permutations(joining) : [joining];
  const forms = orders.flatMap((order) =>
    Array.from({ length: order.length + 1 }, (_, count) => {
      const head = [base, ...order.slice(0, count)].join('').normalize('NFC');
      return head + order.slice(count).join('');
    }),
  );
  return Array.from(new Set([composed, ...forms.filter((form) => form.normalize('NFC') === composed)]));
}

const permutations = (list: readonly string[]): readonly (readonly string[])[] =>
  list.length < 2
    ? [list]
    : list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one].concat(rest)));

const alternatives = (forms: readonly string[]): string =>
  forms.length === 1 ? forms.map(escape).join('') : `(?:${forms.map(escape).join('|')})`;

/** Returns a pattern for exactly this text. */
const escape = (text: string): string =>
  Array.from(text, (character) => String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');
