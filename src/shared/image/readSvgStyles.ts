import type { SvgElement } from './readSvg.ts';
import { type Styles, readStyleSheet, readStyles, shortestDash } from './svgStyles.ts';

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
