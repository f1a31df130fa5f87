import { inspect } from 'node:util';

/** Writes a value on one line. */
export const inLine = (value: unknown): string =>
  inspect(value, { breakLength: Infinity, compact: true, depth: 9 });

/** Writes texts under their titles, for the comparison with a file. */
export const underTitles = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([title, text]) => `# ${title}\n\n${text}\n`)
    .join('\n');
