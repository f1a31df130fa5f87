import { SVG_BYTES, SVG_COST } from '../limits.ts';
import { type SvgElement, readSvg } from './readSvg.ts';
import { type SvgStyles, readSvgStyles } from './readSvgStyles.ts';
import { imagePixels } from './imageSize.ts';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements whose cost is known. Animations are not among them: they would be drawn again and again. */
const ELEMENTS = words(
  'a circle clipPath defs desc ellipse filter g image line linearGradient marker mask metadata path pattern polygon polyline radialGradient rect script stop style svg switch symbol text textPath title tspan use view',
);
/** The costs of the steps of a filter, for each use. One with two inputs may double the steps before it. */
const STEPS: ReadonlyMap<string | null, number> = new Map([
  ['feBlend', 400],
  ['feColorMatrix', 100],
  ['feComponentTransfer', 100],
  ['feComposite', 400],
  ['feDropShadow', 1000],
  ['feFlood', 100],
  ['feFuncA', 1],
  ['feFuncB', 1],
  ['feFuncG', 1],
  ['feFuncR', 1],
  ['feGaussianBlur', 1000],
  ['feMerge', 100],
  ['feMergeNode', 400],
  ['feOffset', 100],
]);
/** The costs of what a shape refers to, in addition to what is in it: a layer, mostly. */
const REFERENCES: ReadonlyMap<string | null, number> = new Map([
  ['clipPath', 10],
  ['filter', 10],
  ['linearGradient', 3],
  ['marker', 1],
  ['mask', 30],
  ['pattern', 40],
  ['radialGradient', 3],
]);
const SHAPES = words('circle ellipse line path polygon polyline rect');
const TEXTS = words('text textPath tspan');
const NOTHING_DRAWN = words('desc metadata script title');

/** Copies of elements (`use`) take longer than the elements. */
const COPY_COST = 2;
/** A transparent group is drawn on a layer. */
const LAYER_COST = 30;
/** Pixels of an image in the drawing that cost as much as an element. */
const PIXELS = 10_000;
/** Characters of an attribute that cost as much as an element. */
const ATTRIBUTE_LENGTH = 100;
/** Very long paths take more time for each of their points. */
const LONG_ATTRIBUTE = 100_000;
/** Dashes that cost as much as an element. */
const DASHES = 100;

/**
 * Returns whether a window can draw an SVG document (bytes as characters) without a noticeable delay: the elements, characters, pixels and steps of filters
 * of all that it repeats by references are under a limit. Anything whose cost is not known is not cheap.
 */
export function isCheapSvg(source: string): boolean {
  if (source.length > SVG_BYTES) return false;
  const svg = readSvg(source, SVG_COST);
  const styles = svg && readSvgStyles(svg);
  return svg !== null && styles !== null && new SvgCost(styles).of(svg) <= SVG_COST;
}

/** Computes the cost of elements. Costs are counted in elements; `Infinity` when a cost is not known. */
class SvgCost {
  readonly #styles: SvgStyles;
  /** The costs that are known; `Infinity` while one is computed, because references in a circle never end. */
  readonly #known = new Map<SvgElement, number>();

  constructor(styles: SvgStyles) {
    this.#styles = styles;
  }

  of(element: SvgElement): number {
    const known = this.#known.get(element);
    if (known !== undefined) return known;
    this.#known.set(element, Infinity);
    const cost = this.#computed(element);
    this.#known.set(element, cost);
    return cost;
  }

  #computed(element: SvgElement): number {
    let cost = ownCost(element) + this.#dashes(element) + this.#references(element);
    if (this.#styles.isLayer(element)) cost += element.children.length > 0 ? LAYER_COST : 1;
    for (const child of element.children) cost += this.of(child);
    return cost;
  }

  #references(element: SvgElement): number {
    let cost = 0;
    for (const id of this.#styles.references(element))
      for (const target of this.#styles.targets(id)) {
        cost += this.#reference(element, target);
        if (cost > SVG_COST) return Infinity;
      }
    const copied = linkedElement(element);
    if (copied === undefined) return Infinity;
    for (const target of copied === null ? [] : this.#styles.targets(copied))
      cost += COPY_COST * this.of(target);
    return cost;
  }

  /** Returns the cost of a paint, a mask, a marker and so on. Paints and markers also apply to what an element contains. */
  #reference(element: SvgElement, target: SvgElement): number {
    const { name } = target;
    const cost = REFERENCES.get(name) ?? 0;
    if (name === 'linearGradient' || name === 'radialGradient') return cost;
    if (name === 'filter') return cost + filterCost(target);
    const isInherited = name === 'pattern' || name === 'marker';
    if (isInherited && (!isShape(element) || element.children.length > 0)) return Infinity;
    const times = name === 'marker' ? numbersIn(element).length : 1;
    return times * (cost + this.of(target));
  }

  #dashes(element: SvgElement): number {
    const dash = this.#styles.dash(element);
    if (dash === null) return 0;
    if (element.name !== null && TEXTS.has(element.name)) return Infinity;
    if (!isShape(element)) return 0;
    const { attributes } = element;
    // Curves that mirror the one before them can be longer than their numbers show.
    if (attributes.has('pathLength') || /t/i.test(attributes.get('d') ?? '')) return Infinity;
    return longestLine(element) / dash / DASHES;
  }
}

const isShape = ({ name }: SvgElement): boolean => name !== null && (SHAPES.has(name) || TEXTS.has(name));

/** Returns the cost of an element without what it contains and refers to. */
function ownCost({ name, attributes, text }: SvgElement): number {
  if (name === null) return 1;
  if (!ELEMENTS.has(name) && !STEPS.has(name)) return Infinity;
  let cost = 1;
  if (TEXTS.has(name)) cost += text.length;
  if (NOTHING_DRAWN.has(name)) return cost;
  if (name === 'image') return cost + imageCost(attributes.get('href') ?? '');
  for (const { length } of attributes.values())
    cost += (length / ATTRIBUTE_LENGTH) * (1 + length / LONG_ATTRIBUTE);
  return cost;
}

const filterCost = ({ name, children }: SvgElement): number =>
  children.reduce((cost, child) => cost + filterCost(child), STEPS.get(name) ?? 0);

/** Returns the cost of an image in the drawing. One from elsewhere is not loaded. */
function imageCost(address: string): number {
  if (/^https?:/i.test(address)) return 0;
  const [, base64] = /^data:image\/(?:png|jpeg|gif|webp);base64,([A-Za-z0-9+/=\s]*)$/.exec(address) ?? [];
  return base64 === undefined ? Infinity : (imagePixels(base64) ?? Infinity) / PIXELS;
}

/** Returns the id of the element that an element copies or continues; `null` when there is none, `undefined` when it is not known. */
function linkedElement({ name, attributes }: SvgElement): string | null | undefined {
  const address = attributes.get('href')?.trim() ?? '';
  if (name === null || name === 'a' || name === 'image' || name === 'script' || address === '') return null;
  return /^#([\w.:-]+)$/.exec(address)?.[1];
}

const GEOMETRY = words('cx cy d height points r rx ry width x x1 x2 y y1 y2');

/** Returns the numbers of a shape. A length with a unit counts a hundred times: that of an em or a percent is not known. */
function numbersIn({ attributes }: SvgElement): number[] {
  return Array.from(attributes).flatMap(([name, value]) => {
    if (!GEOMETRY.has(name)) return [];
    const factor = name !== 'd' && /[%a-df-z]/i.test(value) ? 100 : 1;
    return Array.from(value.matchAll(/\d*\.?\d+(?:e[-+]?\d+)?/gi), ([number]) => Number(number) * factor);
  });
}

/** Returns a length that the outline of a shape does not exceed, in user units. */
const longestLine = (shape: SvgElement): number => 7 * numbersIn(shape).reduce((sum, one) => sum + one, 0);
