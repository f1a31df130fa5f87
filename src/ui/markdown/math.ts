import { type CSSProperties, type ReactNode, createElement } from 'react';
import type { KatexOptions } from 'katex';

/** Converts TeX to MathML elements; returns `null` for TeX that is not valid. */
export type RenderMath = (tex: string, isDisplay: boolean) => ReactNode | null;

/** Maximum length of a formula, in UTF-16 units. */
const TEX_LENGTH = 2000;
/** Maximum number of elements of a formula. */
const MOST_ELEMENTS = 3000;
/** Maximum number of macros that a formula may use, and the same for one that defines macros: each may be as long as the formula. */
const MOST_MACROS = 200;
const MOST_OWN_MACROS = 20;
/** Matches the definition of a macro. */
const DEFINITION = /\\(?:[egx]?def|(?:new|renew|provide)command)(?![A-Za-z])/u;

const OPTIONS = {
  output: 'mathml',
  trust: false,
  throwOnError: false,
  errorColor: 'currentColor',
  strict: 'ignore',
  maxSize: 20,
} as const satisfies KatexOptions;

let rendered: RenderMath | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

/** Returns the function that draws formulas; `undefined` until KaTeX is loaded. */
export const loadedMath = (): RenderMath | undefined => rendered;

/** Calls a function when KaTeX is loaded; returns a function that ends this. */
export function subscribeMath(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Loads KaTeX, which is larger than the rest of the window's Markdown. When that fails, formulas stay their source, and the next one tries again. */
export function loadMath(): Promise<void> {
  loading ??= import('katex').then(
    (katex) => {
      rendered = createRender(katex);
      for (const listener of listeners) listener();
      return undefined;
    },
    () => {
      loading = undefined;
    },
  );
  return loading;
}

/** Returns the function that draws formulas. KaTeX's tree becomes elements, without any markup as text. */
function createRender(katex: object): RenderMath {
  // KaTeX exports it for output other than markup.
  const toTree: unknown = Reflect.get(katex, '__renderToDomTree');
  if (typeof toTree !== 'function') throw new TypeError('KaTeX has no __renderToDomTree.');
  const known = new Map<string, ReactNode>();
  return (tex, displayMode) => {
    const key = `${displayMode} ${tex}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const element = tex.length > TEX_LENGTH ? null : convert(toTree, tex, displayMode);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, element);
    return element;
  };
}

/** Maximum number of formulas that are remembered: those of a long answer. */
const MOST_KNOWN = 500;

function convert(toTree: Function, tex: string, displayMode: boolean): ReactNode | null {
  const isDefining = DEFINITION.test(tex);
  // With parameters, a few macros make millions of tokens.
  if (isDefining && tex.includes('#')) return null;
  const maxExpand = isDefining ? MOST_OWN_MACROS : MOST_MACROS;
  let tree: unknown;
  try {
    tree = toTree(tex, { ...OPTIONS, maxExpand, displayMode });
  } catch {
    // A formula that KaTeX cannot draw is shown as its source.
    return null;
  }
  const math = findMath(tree);
  if (math === null) return null;
  const count = { elements: 0 };
  const element = elementOf(math, 0, { count, depth: 0, cell: undefined });
  return count.elements > MOST_ELEMENTS ? null : element;
}

/** The parts of KaTeX's nodes that are read. */
interface Node {
  readonly type: string | null;
  readonly text: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly children: readonly unknown[];
}

function nodeOf(value: unknown): Node {
  const read = (name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : null;
  const [type, text, character, width, attributes, children] = 'type text character width attributes children'
    .split(' ')
    .map(read);
  const isSpace = typeof width === 'number' && typeof type !== 'string';
  return {
    type: typeof type === 'string' ? type : isSpace && typeof character !== 'string' ? 'mspace' : null,
    text: typeof text === 'string' ? text : typeof character === 'string' ? character : '',
    attributes: isSpace
      ? { width: `${String(width)}em` }
      : { ...(typeof attributes === 'object' ? attributes : {}) },
    children: childrenOf(children),
  };
}

/** Returns the children of a node. KaTeX puts a function's name and its operator into a fragment, which is no element. */
const childrenOf = (children: unknown): readonly unknown[] =>
  Array.isArray(children)
    ? children.flatMap((child: unknown) => {
        const isFragment = child instanceof Object && 'children' in child && !('type' in child);
        return isFragment ? childrenOf(child.children) : [child];
      })
    : [];

/** Returns the `math` node within KaTeX's result; `null` when it is an error. */
function findMath(tree: unknown): Node | null {
  const node = nodeOf(tree);
  if (node.type === 'math') return node;
  const [first] = node.children;
  return first === undefined ? null : findMath(first);
}

const TAGS: ReadonlySet<string> = new Set(
  (
    'math semantics mrow mi mn mo mtext mspace msup msub msubsup mfrac msqrt mroot munder mover munderover mtable mtr mtd ' +
    'mlabeledtr mpadded mphantom menclose mstyle'
  ).split(' '),
);
const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize stretchy fence separator lspace rspace minsize ' +
    'maxsize largeop movablelimits accent accentunder width height depth voffset linethickness notation'
  ).split(' '),
);

interface Within {
  readonly count: { elements: number };
  readonly depth: number;
  /** Where the cells of the table around it are aligned. */
  readonly cell: readonly string[] | undefined;
}

const MOST_DEPTH = 150;

/** Returns the element of a node, with allowed attributes only. What is not MathML, such as KaTeX's copy of the source, is left out. */
function elementOf(node: Node, key: number, within: Within): ReactNode {
  const { type, text, attributes } = node;
  if (type === null) return text;
  within.count.elements += 1;
  if (within.depth > MOST_DEPTH) within.count.elements = Infinity;
  if (!TAGS.has(type) || within.count.elements > MOST_ELEMENTS) return null;
  const allowed = Object.entries(attributes).filter(
    ([name, value]) => ATTRIBUTES.has(name) && typeof value === 'string',
  );
  const { columnalign } = attributes;
  const aligned = typeof columnalign === 'string' ? columnalign.split(' ') : [];
  const cell = type === 'mtable' ? aligned : within.cell;
  const style = type === 'mtd' ? cellStyle(within.cell, key) : undefined;
  const inner = { ...within, depth: within.depth + 1, cell };
  const children = node.children.map((child, at) => elementOf(nodeOf(child), at, inner));
  return createElement(type, { key, style, ...Object.fromEntries(allowed) }, ...joinTexts(children));
}

/** Browsers know no alignment of columns in MathML. */
function cellStyle(columns: readonly string[] | undefined, at: number): CSSProperties | undefined {
  const align = columns?.[at] ?? columns?.at(-1);
  if (align === 'left') return { textAlign: align, paddingLeft: 0 };
  return align === 'right' ? { textAlign: align, paddingRight: 0 } : undefined;
}

/** Joins texts, so that a screen reader does not read them as separate words. */
function joinTexts(children: readonly ReactNode[]): ReactNode[] {
  const joined: ReactNode[] = [];
  for (const child of children) {
    const last = joined.at(-1);
    if (typeof child === 'string' && typeof last === 'string') joined[joined.length - 1] = last + child;
    else joined.push(child);
  }
  return joined;
}
