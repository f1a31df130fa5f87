import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import type { CoverageDocument } from '../coverage/coverageDocument.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

async function captures() {
  const at = await temporaryFolder();
  const applied = await writeCapture(at('b.parley.jsonl'), [recv(1, message('hi')), recv(2, { text: 'ho' })]);
  return { at, applied };
}

async function coverageOf(...args: readonly string[]) {
  const { status, out, err } = await runTool('coverage', '--json', '--workers', '1', ...args);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const document = JSON.parse(out) as CoverageDocument;
  return { status, err, document };
}

test('contract §7 coverage: a capture that cannot be read is one line and status 2; the others count', async () => {
  const { at, applied } = await captures();
  const { status, err, document } = await coverageOf(at('gone.parley.jsonl'), applied);
  const problem = `${at('gone.parley.jsonl')}: there is no such file`;
  expect({ status, err }).toEqual({ status: 2, err: `${problem}\n` });
  expect(document).toMatchObject({ captures: 1, problems: [problem] });

  // Alone, it is the whole output.
  expect(await runTool('coverage', at('gone.parley.jsonl'), '--workers', '1')).toEqual({
    status: 2,
    out: '',
    err: `${problem}\n`,
  });
});
