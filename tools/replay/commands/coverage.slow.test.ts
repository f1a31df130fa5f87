import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { message, recv } from '#tests/builders/updateOf.ts';
import type { CoverageDocument } from '../coverage/coverageDocument.ts';
import { outOf, refused, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

async function coverageOf(...args: readonly string[]) {
  const { status, out, err } = await runTool('coverage', '--json', '--workers', '1', ...args);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const document = JSON.parse(out) as CoverageDocument;
  const unreached = document.unreached
    .filter(({ file }) => file === 'src/shared/conversation/applyUpdate.ts')
    .map(({ kind, text }) => `${kind} ${text}`);
  return { status, err, document, unreached };
}

test('contract §7 coverage: lists the branches that no capture reaches, with their lines, and counts them by file', async () => {
  const at = await temporaryFolder();
  const ignored = await writeCapture(at('a.parley.jsonl'), [recv(1, { text: 'no message' })]);
  const applied = await writeCapture(at('b.parley.jsonl'), [recv(1, message('hi')), recv(2, { text: 'ho' })]);
  const [alone, both] = [await coverageOf(ignored), await coverageOf(ignored, applied)];
  const text = 'return changeText(conversation, update.frame.text);';
  expect(alone.unreached).toContain(`case ${text}`);
  expect(both.unreached).not.toContain(`case ${text}`);
  expect(both.unreached).toContain('case return withPerson(conversation, update.frame.name);');
  expect(both.document.reached).toBeGreaterThan(alone.document.reached);
  const document = { interrupted: false, captures: 2, problems: [] };
  expect(both).toMatchObject({ status: 0, err: '', document });
  const { files, reached, branches, unreached } = both.document;
  expect(files.reduce((sum, file) => sum + file.reached, 0)).toBe(reached);
  expect(unreached).toHaveLength(branches - reached);

  const pretty = await runTool('coverage', at('.'), '--workers', '1');
  const row =
    /^src\/shared\/conversation\/applyUpdate\.ts:\d+:7 +case +return withPerson\(.*\.frame\.name\);$/m;
  expect(pretty.out).toMatch(row);
  expect(pretty.out).toMatch(/^src\/shared\/isOfType\.ts +2 +2 +100\.0$/m);
  expect(pretty.out.endsWith(`2 captures: ${reached} of ${branches} branches reached\n`)).toBe(true);
});

test('contract §7 corpus distill: keeps the smallest captures with the same coverage, and copies them with goldens and modes', async () => {
  const at = await temporaryFolder();
  await mkdir(at('all/deep'), { recursive: true });
  const text = recv(2, { text: 'Hello' });
  await writeCapture(at('all/a.parley.jsonl'), [text]);
  await writeCapture(at('all/b.parley.jsonl'), [recv(1, message('Hi'.repeat(20))), text]);
  const small = await writeCapture(at('all/deep/c.parley.jsonl'), [recv(1, message('Hi')), text]);
  await writeFile(at('all/deep/c.golden.json'), 'golden');
  await chmod(small, 0o600);
  const out = await outOf('corpus', 'distill', at('all'), '--json', '-o', at('few'));
  const ignored = { capture: at('all/a.parley.jsonl'), bytes: expect.any(Number) };
  const kept = [ignored, { capture: small, bytes: (await stat(small)).size }];
  const document = { captures: 3, interrupted: false, problems: [], kept, folder: at('few') };
  expect(JSON.parse(out)).toMatchObject(document);
  const files = await readdir(at('few'), { recursive: true });
  expect(files.sort()).toEqual(['a.parley.jsonl', 'deep', 'deep/c.golden.json', 'deep/c.parley.jsonl']);
  expect(await readFile(at('few/deep/c.parley.jsonl'))).toEqual(await readFile(small));
  expect((await stat(at('few/deep/c.parley.jsonl'))).mode & 0o777).toBe(0o600);
  expect((await readdir(at(''))).sort()).toEqual(['all', 'few']);

  const problem = `${at('few')}: already exists; name a new folder with -o\n`;
  expect(await runTool('corpus', 'distill', at('all'), '-o', at('few'))).toEqual(refused(problem));
});
