/**
 * Encodes a value as JSON with sorted keys and no spaces, and strings as `JSON.stringify` writes them: equal values have
 * equal texts (contract §7). A field that is `undefined` is omitted.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  return Array.isArray(value) ? listJson(value) : objectJson(value);
}

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
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined) text += `${text === '' ? '' : ','}${keyJson(key)}${canonicalJson(field)}`;
  }
  return `{${text}}`;
}

/** Returns `"key":`; caches the texts of common keys. */
function keyJson(key: string): string {
  const known = KEYS.get(key);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(key)}:`;
  if (KEYS.size < 1000) KEYS.set(key, text);
  return text;
}

const KEYS = new Map<string, string>();
