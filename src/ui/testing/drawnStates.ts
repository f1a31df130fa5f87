/** Returns a line for each element of some markup, with its text and the ends after it; of an icon only the beginning of its drawing, of a time nothing in the words of a place, and of a character that nobody sees its number. */
const linesOf = (markup: string): readonly string[] =>
  markup
    .replaceAll(/<svg.*?[ >](?:d|x)="([^"]{1,9}).*?<\/svg>/gsu, '<svg $1/>')
    .replaceAll(/(?<=<time [^>]*dateTime="[^"]*")[^>]*/gu, '')
    .replaceAll(/(?<=data:image\/svg\+xml,)[^"]+/gu, '…')
    .replaceAll(/\p{Cf}/gu, (one) => `&#x${one.charCodeAt(0).toString(16)};`)
    .split(/(?=<[^/])/u)
    .map((line) => line.replaceAll('\n', '\\n'));

/** Returns the lines that only the other list has, then those of the list, with `…` in place of what both have. */
function changes(lines: readonly string[], before: readonly string[]): readonly string[] {
  const lost = before.filter((line) => !lines.includes(line)).map((line) => `- ${line}`);
  const now = lines.map((line) => (before.includes(line) ? '…' : line));
  return [...lost, ...now.filter((line, at) => line !== '…' || now[at - 1] !== '…')];
}

/** Returns a readable page of what is drawn in each state, by its title, to be compared with a file; with `before`, of how each one differs from it. */
export function drawnStates(
  states: readonly (readonly [title: string, markup: string])[],
  before?: string,
): string {
  const first = before === undefined ? [] : linesOf(before);
  const all = states.map(([title, markup]) => [`## ${title}`, ...changes(linesOf(markup), first)]);
  return [first, ...all].map((lines) => `${lines.join('\n')}\n`).join('\n');
}
