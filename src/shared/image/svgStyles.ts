/** What a text of style properties contains that may be costly. */
export interface Styles {
  /** The identifiers of the elements that are referenced by `url(#…)`. */
  readonly references: readonly string[];
  /** The length of the shortest dash pattern, in user units; `null` when lines are not dashed. */
  readonly dash: number | null;
  /** Whether the element may be drawn on a layer of its own: it is transparent, or blended. */
  readonly isLayer: boolean;
}

/** A rule of a style sheet. */
export interface StyleRule extends Styles {
  /** Selects at least the elements of the rule: `.class`, `#id`, `element`, or `*`. */
  readonly keys: readonly string[];
}

/** Functions of property values whose work does not depend on their arguments. */
const CHEAP_FUNCTIONS =
  'url rgb rgba hsl hsla matrix translate translatex translatey scale scalex scaley rotate skewx skewy'.split(
    ' ',
  );

/**
 * Reads the declarations of a style attribute, or the value of a presentation attribute; returns `null` when they contain a function that is not known to be
 * cheap, a reference to anything but an element of the document, or what this reader does not understand.
 */
export function readStyles(declarations: string): Styles | null {
  if (/[\\@{}]|\/\*/.test(declarations)) return null;
  for (const [, name = ''] of declarations.matchAll(/(?<![\w-])([\w-]*)\(/g))
    if (name !== '' && !CHEAP_FUNCTIONS.includes(name.toLowerCase())) return null;
  const references = Array.from(
    declarations.matchAll(/url\(\s*(["']?)#([\w.:-]+)\1\s*\)/gi),
    ([, , id = '']) => id,
  );
  if (references.length !== (declarations.match(/url\(/gi) ?? []).length) return null;
  const dashes = Array.from(declarations.matchAll(/stroke-dasharray\s*:([^;!]*)/gi), ([, list = '']) =>
    readDash(list),
  );
  if (dashes.some(Number.isNaN)) return null;
  const isLayer = /(?<![\w-])(?:opacity|mix-blend-mode|isolation)\s*:/i.test(declarations);
  return { references, dash: shortestDash(dashes), isLayer };
}

/** Returns the shortest of the lengths of dash patterns. */
export const shortestDash = (dashes: readonly (number | null)[]): number | null =>
  dashes.reduce(
    (shortest, dash) => (dash === null || (shortest !== null && shortest < dash) ? shortest : dash),
    null,
  );

/** Returns the length of a dash pattern; `null` when it draws no dashes, and `NaN` when its length is not known. */
export function readDash(list: string): number | null {
  if (/^\s*(?:none|inherit|initial|unset|)\s*$/.test(list)) return null;
  const numbers = list.trim().split(/[\s,]+/);
  if (!numbers.every((number) => /^\d*\.?\d+(?:px)?$/.test(number))) return NaN;
  const length = numbers.reduce((sum, number) => sum + Number.parseFloat(number), 0);
  return length === 0 ? null : length;
}

/** The rules for a medium: they are read as if they always applied. */
const MEDIA = /@media[^{}"'\\;]*\{((?:[^{}]*\{[^{}]*\})*\s*)\}/g;

/** Parses a style sheet; returns `null` when it contains other at-rules, nested rules, escapes, or declarations that `readStyles` does not accept. */
export function readStyleSheet(text: string): readonly StyleRule[] | null {
  // A comment with quotes or parentheses may be a part of a string or an address.
  const source = text
    .replaceAll(/\/\*[^"'()]*?\*\//g, '')
    .replaceAll(MEDIA, '$1')
    .trim();
  const rules: StyleRule[] = [];
  const pattern = /([^{}@\\&]+)\{([^{}]*)\}\s*/y;
  while (pattern.lastIndex < source.length) {
    const [, selectors, declarations] = pattern.exec(source) ?? [];
    const styles = declarations === undefined ? null : readStyles(declarations);
    if (styles === null || !selectors?.split(',').every((one) => isCheapSelector(one))) return null;
    rules.push({ ...styles, keys: selectors.split(',').map(keyOf) });
  }
  return rules;
}

/** Returns whether a selector has up to three simple parts. Others can compare each element with all others. */
function isCheapSelector(selector: string): boolean {
  const parts = selector.trim().split(/[\s>]+/);
  return parts.length <= 3 && parts.every((part) => /^(?:[\w.#*-]+(?::hover)?|:root)$/.test(part));
}

/** Returns the class, the id or the name that all elements of a selector have. */
function keyOf(selector: string): string {
  const last =
    selector
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? '';
  if (!/^[\w.#*-]+$/.test(last)) return '*';
  return /[.#][\w-]+/.exec(last)?.[0] ?? /^[\w-]+/.exec(last)?.[0].toLowerCase() ?? '*';
}
