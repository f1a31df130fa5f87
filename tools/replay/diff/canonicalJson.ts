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
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined) text += `${text === '' ? '' : ','}${canonicalJson(key)}:${canonicalJson(field)}`;
  }
  return `{${text}}`;
}
