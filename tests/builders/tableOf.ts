import { readFile } from 'node:fs/promises';

/** Resolves with a file's table as it should be: each line, and below it, indented, what is said of it. `vitest -u` writes what is said of a new line. */
export async function tableOf(
  path: string,
  say: (line: string) => string | Promise<string>,
): Promise<string> {
  const file = await readFile(path, 'utf8');
  const lines: string[] = [];
  for (const line of file.split('\n').filter((one) => /^\S/.test(one)))
    lines.push(line, ...(await say(line)).split('\n').map((said) => (said === '' ? '' : `  ${said}`)));
  return `${lines.join('\n')}\n`;
}
