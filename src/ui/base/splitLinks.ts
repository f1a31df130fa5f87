/** The attributes of each link to another site: it opens outside the window, and the site does not learn where. */
export const LINK_ATTRIBUTES = { target: '_blank', rel: 'noopener noreferrer' } as const;

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Longer addresses are not links. In UTF-16 units. */
const LINK_LENGTH = 2048;
/** Maximum number of parts of a text before its rest: elements take more time than characters. */
const MOST_PARTS = 1000;

/** Characters that end an address: quotation marks, an ellipsis, CJK punctuation and controls of the direction. */
const AROUND = String.raw`<>"\x60…\p{Pi}\p{Pf}\u3000-\u303F\uFF01-\uFF0F\uFF1A-\uFF20\u200E\u200F\u202A-\u202E\u2066-\u2069`;
/** Matches an address with its scheme. Takes time proportional to the text, because the characters of a match are read once. */
const ADDRESS = new RegExp(String.raw`(?<![a-z\d])(?:https?:\/\/|mailto:)[^\s${AROUND}]+`, 'giu');

/** Punctuation that belongs to the sentence when an address ends with it. */
const PUNCTUATION = ".,;:!?'*([{";
const OPENING: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/** A part of a text: a link, or what is between two links. */
interface TextPart {
  readonly text: string;
  readonly isLink: boolean;
}

/** Splits a text at its links (`http`, `https` and `mailto`). Joined, the parts are the text. */
export function splitLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { index, 0: match } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(match);
    // An ellipsis after an address means that the address is not complete.
    if (text[index + match.length] === '…' || !isLink(address)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isLink: false });
    parts.push({ text: address, isLink: true });
    end = index + address.length;
    if (parts.length >= MOST_PARTS) break;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isLink: false });
  return parts;
}

/** Returns whether an address is complete, so that it is not relative to the window. */
const isLink = (address: string): boolean =>
  address.length <= LINK_LENGTH && URL.canParse(address) && PROTOCOLS.has(new URL(address).protocol);

/** Returns an address without the punctuation at its end, and without `others`. It keeps a closing bracket that has an opening bracket. */
export function withoutPunctuation(match: string, others = ''): string {
  const counts = new Map<string, number>();
  const count = (character: string, by: number) => counts.set(character, countOf(character) + by);
  const countOf = (character: string) => counts.get(character) ?? 0;
  for (const character of match) count(character, 1);
  let { length } = match;
  for (; length > 0; length -= 1) {
    const last = match.charAt(length - 1);
    const opening = OPENING.get(last);
    const isClosing = opening !== undefined && countOf(last) > countOf(opening);
    if (!isClosing && !PUNCTUATION.includes(last) && !others.includes(last)) break;
    count(last, -1);
  }
  return match.slice(0, length);
}
