/** An element of an SVG document. Texts are bytes: each character is one. */
export interface SvgElement {
  /** The local name; `null` for an element that is neither SVG nor HTML nor MathML, which nothing draws. */
  readonly name: string | null;
  /** The attributes, without those of other namespaces. `href` is also that of XLink. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SvgElement[];
  /** Its own text. */
  text: string;
}

const NAME = '[A-Za-z_][\\w.-]*';
const QUALIFIED = `(?:(${NAME}):)?(${NAME})`;
const SPACE = '[ \\t\\r\\n]';
/** What a document contains between its elements. A document type with declarations of its own could repeat texts. */
const MISC =
  /<!--[^]*?-->|<\?(?!xml-stylesheet)[^]*?\?>|<!DOCTYPE[^<>[\]]*>|<!\[CDATA\[(?<data>[^]*?)\]\]>|(?<text>[^<]+)/y;
const START = new RegExp(`<${QUALIFIED}`, 'y');
const ATTRIBUTE = new RegExp(`${SPACE}+${QUALIFIED}${SPACE}*=${SPACE}*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const START_END = new RegExp(`${SPACE}*(/?)>`, 'y');
const END = new RegExp(`</${QUALIFIED}${SPACE}*>`, 'y');
/** Encodings in which a byte under 128 is always the same character. A document without a declaration is UTF-8. */
const ENCODING =
  /^(?:\uFEFF|\u00EF\u00BB\u00BF)?<\?xml[^>]*?encoding\s*=\s*["'](?!utf-8["']|us-ascii["']|iso-8859-1["']|windows-1252["'])/i;

const SVG = 'http://www.w3.org/2000/svg';
/** Namespaces of elements that a browser may draw, or that change what it draws. */
const OTHER_ACTIVE = new Set(['http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML']);

/** The namespaces of the prefixes; that of elements without a prefix has the key ''. */
type Namespaces = ReadonlyMap<string, string>;

interface Open {
  readonly element: SvgElement;
  readonly tag: string;
  readonly namespaces: Namespaces;
}

/** Maximum nesting: drawings of people have under 50 levels. */
const MOST_DEPTH = 100;

/**
 * Parses an SVG document (bytes as characters) into a tree; returns `null` when it is not well-formed, has more than `most` elements, is nested too deep, or
 * contains anything whose meaning this small parser cannot know: entities of its own, another encoding, HTML.
 */
export function readSvg(source: string, most: number): SvgElement | null {
  if (/\0|^(?:\u00FF\u00FE|\u00FE\u00FF)/.test(source) || ENCODING.test(source)) return null;
  const root: SvgElement = { name: null, attributes: new Map(), children: [], text: '' };
  const open: Open[] = [{ element: root, tag: '', namespaces: new Map() }];
  let at = source.startsWith('\u00EF\u00BB\u00BF') ? 3 : 0;
  for (let elements = 0; at < source.length;) {
    const parent = open.at(-1);
    if (parent === undefined) return null;
    const misc = match(MISC, source, at);
    const end = misc ?? match(END, source, at);
    if (misc !== null) parent.element.text += misc.groups?.['data'] ?? decode(misc.groups?.['text'] ?? '');
    else if (end === null) {
      const start = readStart(source, at, parent.namespaces);
      if (start === null || ++elements > most || open.length > MOST_DEPTH) return null;
      parent.element.children.push(start.open.element);
      if (!start.isEmpty) open.push(start.open);
      at = start.end;
    } else if (`${end[1] ?? ''}:${end[2]}` !== open.pop()?.tag) return null;
    if (end !== null) at += end[0].length;
  }
  const [svg, ...others] = root.children;
  return open.length === 1 && svg?.name === 'svg' && others.length === 0 ? svg : null;
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

/** Maximum number of namespaces that are declared around an element. */
const MOST_NAMESPACES = 50;

/** Reads a start tag; returns `null` when there is none, or when it is not known what it means. */
function readStart(source: string, from: number, outer: Namespaces) {
  const start = match(START, source, from);
  if (start === null) return null;
  let at = from + start[0].length;
  const declared: [prefix: string, namespace: string][] = [];
  const attributes = new Map<string, string>();
  for (let next = match(ATTRIBUTE, source, at); next !== null; next = match(ATTRIBUTE, source, at)) {
    at += next[0].length;
    const [, prefix, name = '', quoted, other = ''] = next;
    const value = decode(quoted ?? other);
    if (prefix === 'xmlns' || (prefix === undefined && name === 'xmlns'))
      declared.push([prefix === undefined ? '' : name, value]);
    else if (prefix === undefined || name === 'href') {
      // Of `href` and `xlink:href`, the browser uses one.
      if ((attributes.get(name) ?? value) !== value) return null;
      attributes.set(name, value);
    }
  }
  if (declared.length + outer.size > MOST_NAMESPACES) return null;
  const namespaces = declared.length === 0 ? outer : new Map([...outer, ...declared]);
  const end = match(START_END, source, at);
  const [, prefix = '', name = ''] = start;
  const namespace = namespaces.get(prefix) ?? '';
  if (end === null || OTHER_ACTIVE.has(namespace) || namespace.includes('&')) return null;
  const element = { name: namespace === SVG ? name : null, attributes, children: [], text: '' };
  return {
    open: { element, tag: `${prefix}:${name}`, namespaces },
    isEmpty: end[1] === '/',
    end: at + end[0].length,
  };
}

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Replaces the references to ASCII characters; others stay. */
const decode = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (whole, name: string) => {
    if (!name.startsWith('#')) return CHARACTERS[name] ?? whole;
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code < 128 ? String.fromCharCode(code) : whole;
  });
