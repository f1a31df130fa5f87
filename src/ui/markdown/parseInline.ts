import type { Token } from 'markdown-it';
import { imageType } from '#shared/image/mediaType.ts';
import { HTML_NODES } from '#shared/limits.ts';
import { CLIPPED_LENGTH, isCostlyText } from '../base/longText.ts';
import { withoutPunctuation } from '../base/splitLinks.ts';
import { markdownIt } from './markdownIt.ts';
import type { Definitions, Inline } from './syntax.ts';

/** Maximum depth of emphasis and links within each other. */
const MOST_DEPTH = 50;
/** Maximum number of opening brackets: the parser looks for the end of a link at each of them. */
const MOST_BRACKETS = 1000;

/**
 * Parses the text of a paragraph, heading or cell; returns `null` when it is over a limit, or takes a browser long to lay out: it is shown as it is
 * written.
 */
export function parseInline(source: string, definitions: Definitions): readonly Inline[] | null {
  const text = source.replaceAll(PICTURE_DATA, '');
  if (text.length > CLIPPED_LENGTH || isCostlyText(text)) return null;
  if (source.split('[', MOST_BRACKETS + 2).length > MOST_BRACKETS + 1) return null;
  const parts = SPECIAL.test(source)
    ? parseMarks(source, definitions)
    : [{ type: 'text', text: source } as const];
  const linked = parts && linkAddresses(parts);
  return linked !== null && linked.length > HTML_NODES ? null : linked;
}

function parseMarks(source: string, definitions: Definitions): readonly Inline[] | null {
  const tokens: Token[] = [];
  markdownIt.inline.parse(source, markdownIt, envOf(definitions), tokens);
  return tokens.length > HTML_NODES ? null : buildInlines(tokens);
}

/** Matches the address of an image that is in the message: its length is no work for the parser. */
const PICTURE_DATA = /data:image\/[^\s)]*/gu;
/** Matches a text that may be more than a text. */
const SPECIAL = /[\\`*_~[\]<&$!\n]|:\/\//u;

/** Maps definitions to what the parser needs. */
const envs = new WeakMap<Definitions, Record<string, unknown>>();

function envOf(definitions: Definitions): Record<string, unknown> {
  const known = envs.get(definitions);
  if (known !== undefined) return known;
  const references = Object.fromEntries(
    Array.from(definitions.links, ([label, href]) => [label, { title: '', href }]),
  );
  const env = { references, notes: definitions.notes };
  envs.set(definitions, env);
  return env;
}

type Container = 'strong' | 'em' | 'del' | 'link';

const CONTAINERS: Readonly<Record<string, Container>> = {
  strong_open: 'strong',
  em_open: 'em',
  s_open: 'del',
  link_open: 'link',
};

interface Open {
  readonly type: Container | null;
  readonly token: Token | null;
  readonly children: Inline[];
}

/** Builds the tree of tokens; returns `null` when it is too deep. */
function buildInlines(tokens: readonly Token[]): readonly Inline[] | null {
  const open: Open[] = [{ type: null, token: null, children: [] }];
  for (const token of tokens) {
    const type = CONTAINERS[token.type] ?? null;
    if (token.nesting === 1) {
      open.push({ type, token, children: [] });
      if (open.length > MOST_DEPTH) return null;
    } else if (token.nesting === -1) {
      const closed = open.pop();
      if (closed !== undefined) add(open.at(-1)?.children, containerOf(closed));
    } else for (const one of leavesOf(token)) add(open.at(-1)?.children, one);
  }
  return open[0]?.children ?? [];
}

/** Adds a part; joins texts. */
function add(parts: Inline[] | undefined, part: Inline): void {
  const last = parts?.at(-1);
  if (part.type === 'text' && last?.type === 'text')
    parts?.splice(-1, 1, { type: 'text', text: last.text + part.text });
  else if (part.type !== 'text' || part.text !== '') parts?.push(part);
}

function containerOf({ type, token, children }: Open): Inline {
  if (type !== 'link') return { type: type ?? 'em', children };
  const address = String(token?.attrGet('href') ?? '');
  return { type, address: openableAddress(address), title: address, children };
}

function leavesOf(token: Token): readonly Inline[] {
  const { type, content, meta } = token;
  switch (type) {
    case 'code_inline':
      return [{ type: 'code', text: content }];
    case 'softbreak':
    case 'hardbreak':
      return [{ type: 'break' }];
    case 'math':
      return [{ type: 'math', tex: content, isDisplay: meta?.['isDisplay'] === true }];
    case 'image':
      return [imageOf(token)];
    case 'note_reference':
      return [{ type: 'noteReference', label: String(meta?.['label']), number: Number(meta?.['number']) }];
    default:
      return [{ type: 'text', text: content }];
  }
}

/** Images must be in the message: nothing is loaded from elsewhere. Any other image is a link. */
function imageOf(token: Token): Inline {
  const address = String(token.attrGet('src') ?? '');
  const name = token.content;
  const [, data = ''] = PICTURE.exec(address) ?? [];
  const type = data === '' ? null : imageType(data);
  if (type !== null) return { type: 'image', address: `data:${type};base64,${data}`, name };
  return {
    type: 'link',
    address: openableAddress(address),
    title: address,
    children: [{ type: 'text', text: name || address }],
  };
}

/** Matches addresses without a scheme: of a site that begins with `www.`, and of a mailbox. Takes time in proportion to the text. */
const BARE =
  /(?<![^\s*_~(])www\.[\p{L}\p{N}_-][^\s<]*|(?<![\w.+@-])(?:mailto:)?[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?<![-_])(?![-\w@]|\.[-\w])/gu;
/** Matches a reference of a character, which GitHub takes for a part of the sentence. */
const REFERENCE = /&[a-z\d]+;$/iu;
/** Matches the host of an address whose last two labels have an underscore: it is none. */
const NO_HOST = /^[^/?#:]*_[^/?#:.]*(?:\.[^/?#:.]*)?(?:[/?#:]|$)/u;

/** Makes links of the addresses in texts that are not in a link yet, as GitHub does. */
const linkAddresses = (parts: readonly Inline[]): readonly Inline[] =>
  parts.flatMap((part) => {
    if (part.type === 'text') return splitAddresses(part.text);
    const isEmphasis = part.type === 'strong' || part.type === 'em' || part.type === 'del';
    return isEmphasis ? { ...part, children: linkAddresses(part.children) } : part;
  });

function splitAddresses(text: string): readonly Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  const addText = (to: number) => add(parts, { type: 'text', text: text.slice(end, to) });
  for (const { index, 0: match } of text.matchAll(BARE)) {
    const isSite = match.startsWith('www.');
    const words = isSite ? withoutPunctuation(match.replace(REFERENCE, ''), '_~"') : match;
    const title = isSite ? `http://${words}` : words.replace(/^(?:mailto:)?/u, 'mailto:');
    const address = openableAddress(title);
    if (address === null || (isSite && NO_HOST.test(words))) continue;
    addText(index);
    parts.push({ type: 'link', address, title, children: [{ type: 'text', text: words }] });
    end = index + words.length;
  }
  addText(text.length);
  return parts;
}

const PICTURE = /^data:image\/[a-z+-]+;base64,([\w+/=]+)$/iu;
// Without the flag `u`, which makes `ſ` an `s`.
const LINK = /^(?:https?:\/\/|mailto:)/i;

/** Returns an address that a person may open from here; `null` for any other. */
const openableAddress = (address: string): string | null =>
  LINK.test(address) && URL.canParse(address) ? address : null;
