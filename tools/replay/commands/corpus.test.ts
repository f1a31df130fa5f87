import { mkdir, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

async function corpus() {
  const at = await temporaryFolder();
  await mkdir(at('all/deep'), { recursive: true });
  const text = recv(2, { text: 'Hello' });
  await writeCapture(at('all/b.parley.jsonl'), [recv(1, message('Hi'.repeat(20))), text]);
  const small = await writeCapture(at('all/deep/c.parley.jsonl'), [recv(1, message('Hi')), text]);
  return { at, small };
}

test('contract §7 corpus distill: lists the kept captures, and one that cannot be read on a line', async () => {
  const { at, small } = await corpus();
  const gone = at('gone.parley.jsonl');
  const { status, out, err } = await runTool('corpus', 'distill', small, gone, at('all/b.parley.jsonl'));
  expect({ status, err }).toEqual({ status: 2, err: `${gone}: there is no such file\n` });
  expect(out).toMatch(
    /\/deep\/c\.parley\.jsonl\n\n1 of 2 captures kept, \d+ of \d+ bytes: they reach the same \d+ branches\n$/,
  );
  expect(await runTool('corpus', 'distill', gone, '-o', at('none'))).toMatchObject({ status: 2 });
  expect(await readdir(at(''))).not.toContain('none');
});
