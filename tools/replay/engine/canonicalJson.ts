/**
 * JSON with sorted keys and no spaces, strings as `JSON.stringify` writes them: one text for one value (contract §7).
 * A field that is `undefined` is left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let text = '';
  for (const key of Object.keys(value).sort()) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const field = (value as Record<string, unknown>)[key];
    if (field !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(field)}`;
  }
  return `{${text}}`;
}
