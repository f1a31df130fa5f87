/** What a text of JSON says; `undefined`, which JSON cannot say, when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
