import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/files.ts';
import { refuseEndlessLoading } from './loadAdapter.ts';

/** Writes a module with this text. */
async function moduleOf(text: string): Promise<string> {
  const at = await temporaryFolder();
  await writeFile(at('x.mjs'), text);
  return at('x.mjs');
}

test.each(['for (;;);', 'await new Promise((resolve) => setInterval(() => 0, 1000));'])(
  'refuses a module whose loading does not end: %s',
  async (text) => {
    await expect(refuseEndlessLoading(await moduleOf(text), './x.ts', 100)).rejects.toThrow(
      /^--app \.\/x\.ts: is not loaded after 0\.1 s$/,
    );
  },
);

test.each([
  'export const adapter = {};',
  "throw new Error('no');",
  'process.exit(3);',
  'import "./gone.mjs";',
])('leaves every other module to its use: %s', async (text) => {
  await expect(refuseEndlessLoading(await moduleOf(text), './x.ts', 60_000)).resolves.toBeUndefined();
});
