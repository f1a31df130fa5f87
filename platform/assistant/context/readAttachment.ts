import { extname } from 'node:path';

/** What the model gets of a file: its text, a picture, or nothing. */
export type Attachment =
  | { readonly kind: 'text'; readonly text: string }
  /** A `data:` URL. */
  | { readonly kind: 'image'; readonly url: string }
  /** A sentence for the person. */
  | { readonly kind: 'refused'; readonly sentence: string };

/** The pictures that endpoints accept, by the bytes at their beginning. */
const IMAGES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\u{89}PNG\r\n/u],
  ['image/jpeg', /^\u{ff}\u{d8}\u{ff}/u],
  ['image/gif', /^GIF8[79]a/u],
  ['image/webp', /^RIFF.{4}WEBP/su],
];

/** Formats that can consist of text only, and still mean nothing to a model. */
const NOT_TEXT = new Set(['.pdf', '.ps', '.eps', '.rtf']);
// oxlint-disable-next-line no-control-regex -- text files contain none of these
const CONTROL = /[\u{0}-\u{8}\u{e}-\u{1a}\u{1c}-\u{1f}]/u;

/** Reads a file that the person has sent. The bytes decide, because a message contains no media type. */
export function readAttachment(name: string, blob: string): Attachment {
  const bytes = Buffer.from(blob, 'base64');
  const head = bytes.toString('latin1', 0, 16);
  const image = IMAGES.find(([, signature]) => signature.test(head));
  if (image !== undefined) return { kind: 'image', url: `data:${image[0]};base64,${blob}` };
  const text = NOT_TEXT.has(extname(name).toLowerCase()) ? null : decodeText(bytes);
  if (text === null) return { kind: 'refused', sentence: refusal(name) };
  return { kind: 'text', text };
}

const refusal = (name: string) =>
  `I cannot read “${name}”. Send a text file, or a picture as PNG, JPEG, GIF or WebP.`;

/** Returns the text of valid UTF-8 without control characters, or `null`. */
function decodeText(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return CONTROL.test(text) ? null : text;
  } catch {
    return null;
  }
}
