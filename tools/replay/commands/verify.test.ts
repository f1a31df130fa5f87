import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { item, message, recv } from '#tests/builders/updateOf.ts';
import { show, terminal } from './testing/terminal.ts';
import { configIn } from '../inspector/testing/serveFor.ts';
import { refused, rowsOf, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(1, item('hi')),
  recv(2, { text: 'Hi' }),
];
const TEXT = '"messages[0].content[1].text":"Hi"';

/** Captures with goldens; those whose name begins with `changed` differ from theirs, as if the fold had changed. */
async function corpus(...names: readonly string[]) {
  const at = await terminal(Object.fromEntries(names.map((name) => [name, RECORDS])));
  await runTool('verify', '.', '--update');
  for (const name of names.filter((one) => one.startsWith('changed'))) {
    const golden = await readFile(at(`${name}.golden.json`), 'utf8');
    await writeFile(at(`${name}.golden.json`), golden.replace(TEXT, TEXT.replace('Hi', 'secret')));
  }
  return { at, path: (name: string) => at(`${name}.parley.jsonl`) };
}

const verify = (...args: readonly string[]) => runTool('verify', '.', ...args);
const lines = (text: string) => rowsOf(text).map(Object);
const found = (text: string): string[] => lines(text).flatMap(({ capture }) => capture ?? []);
const ndjson = ['--reporter', 'ndjson'];

test('contract §7 verify, exit status, ndjson: reports the update and the path of a difference in each format, its values only when requested', async () => {
  await corpus('changed1', 'changed2', 'changed3', 'changed4', 'changed5', 'good');
  const formats = `
    verify .
    verify . --reporter json
    verify . --reporter ndjson
    verify . --reporter junit
  `;
  const shown = await show(formats);
  expect(shown).not.toContain('secret');
  const values = await show(formats.replaceAll(/\S$/gm, '$& --values'));
  await expect(shown + values).toMatchFileSnapshot('testing/verify-formats.txt');
});

test('separates known failures from new ones, and only new ones count; stops after --max-failures, and does not continue when an earlier report reached it', async () => {
  const { at } = await corpus('changed1', 'changed2', 'good');
  await writeFile(at('known.json'), JSON.stringify(['differs: text, applied: messages[*].content[*].text']));
  await writeFile(at('other.json'), '["differs: another"]');
  await writeFile(at('none.json'), '{"signatures":[]}');
  const shown = await show(`
    verify . --known known.json
    verify . --json > report.json
    verify . --known report.json --json
    verify . --known other.json
    verify . --known none.json
    verify . --max-failures 2
    verify . --max-failures 2 --reporter ndjson > out.ndjson
    verify . --max-failures 2 --reporter ndjson --resume out.ndjson
  `);
  await expect(shown).toMatchFileSnapshot('testing/verify-known.txt');
});

test('--report-dir writes a report of one example of each signature, and an index, readable by their owner only', async () => {
  const { at, path } = await corpus('changed', 'changed2');
  await writeCapture(path('renamed'), [...RECORDS, recv(3, { name: 'Grace' })]);
  await runTool('verify', path('renamed'), '--update');
  const golden = await readFile(at('renamed.golden.json'), 'utf8');
  await writeFile(at('renamed.golden.json'), golden.replaceAll('"Grace"', '"Ada"'));
  const reports = at('reports');
  const note = 'They contain texts of the sessions: --redact replaces personal data.';
  const err = `${reports}/index.html: reports of 2 signatures\n${note}\n`;
  expect(await verify('--report-dir', reports)).toMatchObject({ status: 1, err });
  const names = (await readdir(reports)).sort();
  const report = expect.stringMatching(/^differs-[0-9a-f]{12}\.html$/);
  expect(names).toEqual([report, report, 'index.html']);
  for (const name of names) expect((await stat(join(reports, name))).mode & 0o777).toBe(0o600);
  const index = await readFile(join(reports, 'index.html'), 'utf8');
  expect(index).toContain('<h1>3 failures with 2 signatures</h1>');
  const row = /<td>2<\/td>.*changed\.parley.*<a href="([^"]+)">update 3<\/a>/;
  const config = configIn(await readFile(join(reports, row.exec(index)?.[1] ?? ''), 'utf8'));
  expect(config).toMatchObject({ source: { name: 'changed.parley.jsonl' }, update: 3 });
  const isFull = `${reports}: is not empty; replace its reports with --force, or name another folder\n`;
  expect(await verify('--report-dir', reports)).toEqual(refused(isFull));
});

test('contract §7 exit status: names each file that cannot be used and what to do, with status 2, and verifies the others; --update distinguishes new, changed and unchanged goldens', async () => {
  const { at, path } = await corpus('changed', 'good', 'bad', 'damaged');
  await writeFile(path('bad'), '{"t":6,\n{"t":7,"type":"open"}\n', { flag: 'a' });
  await writeFile(at('damaged.golden.json'), '{"format":"parley-golden","version":0}');
  for (const name of ['new', 'stuck']) await writeCapture(path(name), RECORDS);
  await mkdir(at('stuck.golden.json'));
  const shown = await show(`
    verify .
    verify . --update
    verify changed.parley.jsonl new.parley.jsonl
  `);
  await expect(shown).toMatchFileSnapshot('testing/verify-update.txt');
});

test('contract §7 verify, exit status, files-from: verifies the captures that a file lists, and prints one line when nothing differs; refuses other arguments in one line', async () => {
  const { at } = await corpus('a', 'b', 'c');
  await writeFile(at('list'), 'b.parley.jsonl\r\n\na.parley.jsonl\n');
  await writeFile(at('empty'), '\n \r\n');
  const shown = await show(`
    verify --files-from list --reporter ndjson
    verify --files-from list --values
    verify --files-from empty
    verify --files-from gone
    verify x --files-from gone
    verify
    verify x --timeout 0
    verify x --shard-index 3/3
    verify x --shard 0/2
    verify x --shard 1/2 --shard-index 1/2
    verify x --reporter tap
    verify x --json --reporter junit
  `);
  await expect(shown).toMatchFileSnapshot('testing/verify-arguments.txt');
});

const shardOf = async (...args: readonly string[]) => found((await verify(...ndjson, ...args)).out);

const NAMES = Array.from({ length: 12 }, (_, i) => `session-${i}`);

test('contract §7 shard: puts each capture in exactly one shard, whatever other captures there are', async () => {
  await corpus(...NAMES);
  const shards = await Promise.all(['1/3', '2/3', '3/3'].map((part) => shardOf('--shard', part)));
  expect(shards.flat().sort()).toEqual(NAMES.map((name) => `${name}.parley.jsonl`).sort());
  for (const one of shards) expect(one.length).toBeGreaterThan(0);
  expect(await shardOf('--shard-index', '1/3')).toEqual(shards[1]);
  const [kept = ''] = shards[1] ?? [];
  // The name inside the folder counts: the folder may be elsewhere, with fewer captures.
  const apart = await temporaryFolder();
  await writeCapture(apart(kept), RECORDS);
  const { out } = await runTool('verify', apart(''), '--shard', '2/3', '--json');
  expect(JSON.parse(out).captures).toBe(1);
});

test('contract §7 resume: verifies only what an earlier report lacks, and reports both', async () => {
  const names = ['changed1', 'changed2', 'good1', 'good2'];
  const { at } = await corpus(...names);
  const { out: first } = await verify(...ndjson);
  const both = { captures: 4, same: 2, differs: 2, groups: [{ count: 2 }] };
  // Its writer was killed in the middle of the third line of results, or of its header.
  for (const [length, kept] of [[first.indexOf('good1'), 2] as const, [20, 0] as const]) {
    const torn = first.slice(0, length);
    await writeFile(at('out.ndjson'), torn);
    const resumed = await verify(...ndjson, '--resume', at('out.ndjson'));
    expect([resumed.status, found(resumed.out)]).toEqual([
      1,
      names.slice(kept).map((name) => `${name}.parley.jsonl`),
    ]);
    expect(lines(resumed.out).at(-1)).toMatchObject(both);
    // A report that is appended to is complete.
    await writeFile(at('out.ndjson'), torn + resumed.out);
    const merged = await runTool('verify', 'merge', at('out.ndjson'), '--json');
    expect([merged.status, JSON.parse(merged.out)]).toMatchObject([1, both]);
  }
});

test('contract §7 merge: makes one report of shards, and names a shard that is missing or incomplete', async () => {
  const { at } = await corpus(...NAMES, 'changed1', 'changed2');
  const shown = await show(`
    verify . --reporter ndjson --shard 1/3 > 1
    verify . --reporter ndjson --shard 2/3 > 2
    verify . --reporter ndjson --shard 3/3 > 3
    verify merge 1 2 3
    verify merge 1 3 --reporter junit
  `);
  const text = await readFile(at('2'), 'utf8');
  await writeFile(at('2'), text.slice(0, text.indexOf('{"end"')));
  const incomplete = await show('verify merge 1 2 3');
  await writeFile(at('2'), '{"captures":1}\n');
  const other = await show('verify merge 1 2 3');
  await expect(shown + incomplete + other).toMatchFileSnapshot('testing/verify-merge.txt');
});
