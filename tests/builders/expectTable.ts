import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';

/** Expects that a file has, below each of its lines and indented, what is said of it. `vitest -u` writes what is said of a new line. */
export async function expectTable(
  path: string,
  say: (line: string) => string | Promise<string>,
): Promise<void> {
  const file = await readFile(path, 'utf8');
  const lines: string[] = [];
  for (const line of file.split('\n').filter((one) => /^\S/.test(one)))
    lines.push(line, ...(await say(line)).split('\n').map((said) => (said === '' ? '' : `  ${said}`)));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path);
}
