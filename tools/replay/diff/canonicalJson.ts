/**
 * Encodes a value as JSON with sorted keys and no spaces, and strings as `JSON.stringify` writes them: equal values have
 * equal texts (contract §7). A field that is `undefined` is omitted.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string' && value.search(ESCAPED) === -1) return `"${value}"`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return Array.isArray(value) ? listJson(value) : objectJson(value);
}

/** What `JSON.stringify` may escape in a string. It takes three times as long as this test, which most strings do not match. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

function listJson(list: readonly unknown[]): string {
  let text = '';
  for (let i = 0; i < list.length; i++)
    text += i === 0 ? canonicalJson(list[i]) : `,${canonicalJson(list[i])}`;
  return `[${text}]`;
}

function objectJson(value: object): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const fields = value as Record<string, unknown>;
  let text = '';
  for (const key of sortedKeys(fields)) {
    const field = fields[key];
    if (field !== undefined) text += `${text === '' ? '' : ','}${nameJson(key)}${canonicalJson(field)}`;
  }
  return `{${text}}`;
}

/** Sorts a few keys by insertion: `sort` takes a third of the time of the text of a message. */
function sortedKeys(fields: object): string[] {
  const keys = Object.keys(fields);
  if (keys.length > MANY_KEYS) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] ?? '';
    let at = i;
    for (; at > 0 && (keys[at - 1] ?? '') > key; at--) keys[at] = keys[at - 1] ?? '';
    keys[at] = key;
  }
  return keys;
}

const MANY_KEYS = 16;

/** The names of fields in JSON, with the colon: an app has few and short ones, and almost all objects have the same. */
const names = new Map<string, string>();
const MOST_NAMES = 1000;
const LONGEST_NAME = 100;

function nameJson(key: string): string {
  const known = names.get(key);
  if (known !== undefined) return known;
  const text = `${canonicalJson(key)}:`;
  if (names.size < MOST_NAMES && key.length <= LONGEST_NAME) names.set(key, text);
  return text;
}
