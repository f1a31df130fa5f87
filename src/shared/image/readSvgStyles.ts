import type { SvgElement } from './readSvg.ts';

/** The styles of the elements of a document. */
export interface SvgStyles {
  /** Returns the identifiers to which the styles of an element refer. */
  references(element: SvgElement): readonly string[];
  /** Returns the length of the shortest dash pattern with which an element may be drawn, in user units; `null` when there is none. */
  dash(element: SvgElement): number | null;
  /** Returns whether an element may be drawn on a layer of its own. */
  isLayer(element: SvgElement): boolean;
  /** Returns the elements with an identifier. */
  targets(id: string): readonly SvgElement[];
}

/** Attributes that contain no styles. */
const NO_STYLES = /^(?:on|data-|aria-)|^(?:id|class|d|points|href|role|lang|version|viewBox|type)$/;
/** Attributes whose value may be costly without a function. */
const COUNTED = /^(?:style|stroke-dasharray|opacity|mix-blend-mode|isolation)$/;
/** Elements that contain no others: a dash pattern applies only to them. */
const LEAVES = /^(?:path|line|rect|circle|ellipse|polyline|polygon)$/;
/** Longer style sheets are not read. In characters, together. */
const SHEETS_LENGTH = 20_000;

/** Reads the styles of all elements; returns `null` when their cost is not known (`readStyles`). */
export function readSvgStyles(svg: SvgElement): SvgStyles | null {
  const elements = allElements(svg);
  const rules = readRules(elements.filter(({ name }) => name === 'style').map(({ text }) => text));
  if (rules === null) return null;
  const styles = new Map<SvgElement, Styles>();
  for (const element of elements) {
    const own = ownStyles(element);
    if (own === null) return null;
    styles.set(element, joined([own, ...keysOf(element).flatMap((key) => rules.get(key) ?? [])]));
  }
  // A dash pattern of an element that contains others applies to those, also where they are copied.
  const common = joined(elements.filter((one) => !isLeaf(one)).map((one) => styles.get(one) ?? NONE)).dash;
  const targets = new Map<string, SvgElement[]>();
  for (const element of elements) {
    const id = element.attributes.get('id');
    if (id !== undefined && targets.get(id)?.push(element) === undefined) targets.set(id, [element]);
  }
  return {
    references: (element) => styles.get(element)?.references ?? [],
    dash: (element) => shortestDash([common, styles.get(element)?.dash ?? null]),
    isLayer: (element) => styles.get(element)?.isLayer ?? false,
    targets: (id) => targets.get(id) ?? [],
  };
}

const NONE: Styles = { references: [], dash: null, isLayer: false };

const joined = (list: readonly Styles[]): Styles => ({
  references: list.flatMap(({ references }) => references),
  dash: shortestDash(list.map(({ dash }) => dash)),
  isLayer: list.some(({ isLayer }) => isLayer),
});

const isLeaf = ({ name }: SvgElement): boolean => LEAVES.test(name ?? '');

/** Returns an element and all that it contains. The depth of a document is limited. */
const allElements = (element: SvgElement): SvgElement[] => [
  element,
  ...element.children.flatMap(allElements),
];

/** Reads the attributes of an element that can contain styles. */
function ownStyles({ name, attributes }: SvgElement): Styles | null {
  if (name === null) return NONE;
  const all: Styles[] = [];
  for (const [attribute, value] of attributes) {
    const isPlain = !COUNTED.test(attribute) && !/[(\\@{}]/.test(value);
    if (isPlain || NO_STYLES.test(attribute)) continue;
    const styles = readStyles(attribute === 'style' ? value : `${attribute}:${value}`);
    if (styles === null) return null;
    all.push(styles);
  }
  return joined(all);
}

/** Reads style sheets; returns the styles by the key of their selectors, or `null` when they are not known. */
function readRules(sheets: readonly string[]): ReadonlyMap<string, Styles> | null {
  if (sheets.join('').length > SHEETS_LENGTH) return null;
  const rules = new Map<string, Styles>();
  for (const sheet of sheets) {
    const list = readStyleSheet(sheet);
    if (list === null) return null;
    for (const { keys, ...styles } of list)
      for (const key of keys) rules.set(key, joined([rules.get(key) ?? NONE, styles]));
  }
  return rules;
}

/** Returns the keys of the rules that can select an element. */
const keysOf = ({ name, attributes }: SvgElement): string[] => [
  '*',
  name?.toLowerCase() ?? '',
  `#${attributes.get('id') ?? ''}`,
  ...new Set((attributes.get('class') ?? '').split(/\s+/).map((one) => `.${one}`)),
];

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
