import { betweenCharacters } from '#shared/clip.ts';

/** Maximum size of the quoted text: a message has fewer than 250 characters, so there is room for an answer. */
const LENGTH = 120;
const LINES = 5;

/** Returns a text as a quotation, each line after `> `, and an empty line for the answer. A long text is cut at a space or a line. */
export function quoteText(text: string): string {
  const lines = cut(text.trim())
    .split('\n')
    .map((line) => `> ${line.trim()}`.trimEnd());
  return `${lines.join('\n')}\n\n`;
}

function cut(text: string): string {
  const lines = text.slice(0, betweenCharacters(text, LENGTH)).split('\n');
  const beginning = lines.slice(0, LINES).join('\n');
  if (beginning.length === text.length) return text;
  const isAtLine = lines.length > LINES;
  const space = isAtLine ? -1 : beginning.search(/\s\S*$/u);
  return `${beginning.slice(0, space > 0 ? space : undefined).trimEnd()}…`;
}
