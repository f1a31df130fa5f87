import { z } from 'zod';
import { tryParseJson } from '#shared/tryParseJson.ts';

const MAX_TEXT = 300;
/** Parts of a key of this length are not shown either: services repeat a key with its middle hidden. */
const KEY_PART = 6;
const HIDDEN = '•••';
/** What keys of public services look like. */
const ANY_KEY = /\b(?:Bearer\s+\S+|(?:sk|pk|rk|gsk|hf|xai|key|api)[-_][\w*.-]{6,})/gi;

const message = z.union([z.string(), z.object({ message: z.string() }).transform((error) => error.message)]);
const bodySchema = z.union([
  z.object({ error: message }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform((body) => body.message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z
    .object({ detail: z.array(z.object({ msg: z.string() })) })
    .transform(({ detail }) => detail[0]?.msg ?? ''),
]);

/**
 * Returns the endpoint's own words about a failure for the person: one line of at most 300 characters, without keys; empty when
 * the body has none, such as a web page.
 */
export function endpointText(body: string, key: string | null): string {
  const { data } = bodySchema.safeParse(tryParseJson(body));
  return clip(withoutKeys(oneLine(data ?? plainText(body)), key));
}

/** Returns a text without the key, its parts, and anything else that looks like a key. */
export function withoutKeys(text: string, key: string | null): string {
  const shown = text.replace(ANY_KEY, HIDDEN);
  if (key === null || key === '') return shown;
  return shown.replaceAll(key, HIDDEN).replace(/\S+/g, (word) => (containsPart(word, key) ? HIDDEN : word));
}

function containsPart(word: string, key: string): boolean {
  for (let at = 0; at + KEY_PART <= key.length; at++)
    if (word.includes(key.slice(at, at + KEY_PART))) return true;
  return false;
}

const plainText = (body: string) => (/^\s*[<{[]/.test(body) ? '' : body);

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();

function clip(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_TEXT ? text : `${characters.slice(0, MAX_TEXT - 1).join('')}…`;
}
