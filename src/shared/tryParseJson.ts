/** Parses JSON; returns `undefined`, which JSON cannot express, when the text is not valid. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
