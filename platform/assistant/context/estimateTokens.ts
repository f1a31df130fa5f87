/** Code points below this are letters of the Latin script, digits and signs: three of them count as a token. */
const OTHER_SCRIPTS = 0x250;
const THIRDS = 3;

/** Returns the cost of a character in thirds of a token: whole numbers have no rounding errors. */
const thirdsOf = (character: string) => ((character.codePointAt(0) ?? 0) < OTHER_SCRIPTS ? 1 : THIRDS);

function countThirds(text: string): number {
  let thirds = 0;
  for (const character of text) thirds += thirdsOf(character);
  return thirds;
}

/**
 * Estimates the tokens of a text. Every model counts in its own way: this is more than most of them count, so that a text that
 * fits here fits there.
 */
export const estimateTokens = (text: string): number => Math.ceil(countThirds(text) / THIRDS);

/** Returns the longest beginning of a text that has at most this many tokens. */
export function firstTokens(text: string, limit: number): string {
  let thirds = 0;
  let length = 0;
  for (const character of text) {
    thirds += thirdsOf(character);
    if (thirds > limit * THIRDS) break;
    length += character.length;
  }
  return text.slice(0, length);
}

/** Returns the longest end of a text that has at most this many tokens. */
export function lastTokens(text: string, limit: number): string {
  let excess = countThirds(text) - limit * THIRDS;
  let from = 0;
  for (const character of text) {
    if (excess <= 0) break;
    excess -= thirdsOf(character);
    from += character.length;
  }
  return text.slice(from);
}
