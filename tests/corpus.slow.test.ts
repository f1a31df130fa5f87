import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCaptures } from '#replay/read/findCaptures.ts';
import { parleyTool } from '#replay/parley/parleyTool.ts';
import { replayTool } from '#replay/replayTool.ts';

test('the command verifies the whole corpus and exits with 0', async () => {
  const corpus = join(import.meta.dirname, 'captures');
  const { length } = await findCaptures([corpus]);
  const printed: string[] = [];
  const write = (text: string) => void printed.push(text);
  const output = { out: write, err: write, isOutColored: false, isErrTerminal: false };
  expect(await replayTool(['verify', corpus], output, parleyTool)).toBe(0);
  expect(printed.join('')).toContain(`${length} captures: ${length} same`);
});
