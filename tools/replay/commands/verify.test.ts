import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { configIn } from '../inspector/testing/serveFor.ts';
import { refused, rowsOf, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(1, item('hi')),
  recv(2, { text: 'Hi' }),
];
const TEXT = '"messages[0].content[1].text":"Hi"';
const SIGNATURE = 'differs: text, applied: messages[*].content[*].text';

/** Captures with goldens; those whose name begins with `changed` differ from theirs, as if the fold had changed. */
async function corpus(...names: readonly string[]) {
  const at = await temporaryFolder();
  for (const name of names) await writeCapture(at(`${name}.parley.jsonl`), RECORDS);
  await runTool('verify', at(''), '--update');
  for (const name of names.filter((one) => one.startsWith('changed'))) {
    const golden = await readFile(at(`${name}.golden.json`), 'utf8');
    await writeFile(at(`${name}.golden.json`), golden.replace(TEXT, TEXT.replace('Hi', 'secret')));
  }
  const path = (name: string) => at(`${name}.parley.jsonl`);
  return { at, path, verify: (...args: readonly string[]) => runTool('verify', at(''), ...args) };
}

const lines = (text: string) => rowsOf(text).map(Object);
const found = (text: string): string[] => lines(text).flatMap(({ capture }) => capture ?? []);
const ndjson = ['--reporter', 'ndjson'];

test('contract §7 verify, exit status: reports the update, the path and the three values of a difference, with status 1', async () => {
  const { path, verify } = await corpus('changed1', 'changed2', 'changed3', 'changed4', 'changed5', 'good');
  const { status, out } = await verify('--values');
  expect(status).toBe(1);
  expect(out.split('\n').slice(0, 10)).toEqual([
    `differs  ${path('changed1')}`,
    '  first differs after update 3 (text, applied, at 300 ms)',
    '    messages[0].content[1].text',
    '      before    "hi"',
    '      expected  "secret"',
    '      got       "Hi"',
    `  signature  ${SIGNATURE}`,
    `  inspect    npm run replay -- open ${path('changed1')} --update 3`,
    `  5 captures with this signature; also ${['changed2', 'changed3', 'changed4'].map(path).join(', ')} and 1 more`,
    '',
  ]);
  expect(out).toContain('6 captures: 1 same (3 updates), 5 differ');
  expect(out).toContain('--update');
});

test('contract §7 ndjson: prints a header, each result on a line, and the end with the groups', async () => {
  const { verify, path } = await corpus('changed1', 'changed2', 'good');
  const { status, out } = await verify(...ndjson);
  const [header, first, second, third, end] = lines(out);
  expect([status, header]).toEqual([1, { format: 'parley-results', version: 1, command: 'verify' }]);
  expect(first).toMatchObject({ capture: path('changed1'), outcome: 'differs', signature: SIGNATURE });
  expect(first.difference.state).toEqual([{ path: 'messages[0].content[1].text' }]);
  const common = { ms: expect.any(Number), warnings: [] };
  expect(second).toEqual({ capture: path('changed2'), outcome: 'differs', signature: SIGNATURE, ...common });
  expect(third).toEqual({ capture: path('good'), outcome: 'same', updates: 3, ...common });
  expect(end).toMatchObject({ end: 'complete', captures: 3, same: 1, differs: 2 });
  expect(end.groups).toEqual([{ signature: SIGNATURE, count: 2, known: false, example: path('changed1') }]);
});

test.each(['pretty', 'json', 'ndjson', 'junit'])(
  'prints values as %s only when requested',
  async (reporter) => {
    const { verify } = await corpus('changed');
    const without = await verify('--reporter', reporter);
    expect(without.out).toContain('messages[0].content[1].text');
    expect(without.out).not.toContain('secret');
    expect((await verify('--reporter', reporter, '--values')).out).toContain('secret');
  },
);

test('--report-dir writes a report of one example of each signature, and an index, readable by their owner only', async () => {
  const { at, path, verify } = await corpus('changed', 'changed2');
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
  const row = new RegExp(`<td>2</td>.*${path('changed')}.*<a href="([^"]+)">update 3</a>`);
  const config = configIn(await readFile(join(reports, row.exec(index)?.[1] ?? ''), 'utf8'));
  expect(config).toMatchObject({ source: { name: 'changed.parley.jsonl' }, update: 3 });
  const isFull = `${reports}: is not empty; replace its reports with --force, or name another folder\n`;
  expect(await verify('--report-dir', reports)).toEqual(refused(isFull));
});

test('--update distinguishes new, changed and unchanged goldens, and reports one that cannot be written', async () => {
  const { at, path, verify } = await corpus('changed', 'good');
  await writeCapture(path('new'), RECORDS);
  await writeCapture(path('stuck'), RECORDS);
  await mkdir(at('stuck.golden.json'));
  const { status, out } = await verify('--update');
  expect(status).toBe(2);
  expect(out).toContain(`changed  golden of ${path('changed')}\nnew      golden of ${path('new')}\n`);
  expect(out).toContain(`unusable ${at('stuck.golden.json')}: is a folder`);
  expect(out).toContain('4 captures: 2 of 3 goldens written');
  expect(await runTool('verify', path('changed'), path('new'))).toMatchObject({ status: 0 });
});

test('contract §7 exit status: one line names the file and what to do, with status 2, and the others are verified', async () => {
  const { at, path, verify } = await corpus('changed', 'good', 'bad', 'damaged');
  await writeFile(path('bad'), `${await readFile(path('bad'), 'utf8')}{"t":6,\n{"t":7,"type":"open"}\n`);
  await writeFile(at('damaged.golden.json'), '{"format":"parley-golden","version":0}');
  await writeCapture(path('new'), RECORDS);
  const { status, out } = await verify();
  expect(status).toBe(2);
  expect(out).toContain(`unusable ${path('bad')}:5: is not JSON\n`);
  expect(out).toContain(`unusable ${at('damaged.golden.json')}: has version 0 of the golden format`);
  expect(out).toContain(`${at('new.golden.json')}: there is no golden yet; run verify with --update\n`);
  expect(out).toContain('5 captures: 1 same (3 updates), 1 differs, 3 unusable');
});

test('separates known failures from new ones, and only new ones count', async () => {
  const { at, verify } = await corpus('changed1', 'changed2', 'good');
  await writeFile(at('known.json'), JSON.stringify([SIGNATURE]));
  const { status, out } = await verify('--known', at('known.json'));
  expect(status).toBe(0);
  expect(out.split('\n')[0]).toBe(`known    2 captures: ${SIGNATURE}`);
  expect(out).toContain('3 captures: 1 same (3 updates), 2 differ, 2 of the failures known');
  await writeFile(at('report.json'), (await verify('--json')).out);
  const again = await verify('--known', at('report.json'), '--json');
  const known = { known: 2, groups: [{ known: true, count: 2 }] };
  expect([again.status, JSON.parse(again.out)]).toMatchObject([0, known]);
  await writeFile(at('known.json'), '["differs: another"]');
  expect((await verify('--known', at('known.json'))).status).toBe(1);
  await writeFile(at('known.json'), '{"signatures":[]}');
  const problem = 'is neither a JSON list of signatures nor a report of --reporter json';
  expect(await verify('--known', at('known.json'))).toEqual(refused(`${at('known.json')}: ${problem}\n`));
});

test('contract §7 verify, exit status, files-from: verifies the captures that a file lists, and prints one line when nothing differs', async () => {
  const { at, path } = await corpus('a', 'b', 'c');
  await writeFile(at('list'), `${path('b')}\r\n\n${path('a')}\n`);
  const listed = (...args: readonly string[]) => runTool('verify', '--files-from', at('list'), ...args);
  const { status, out } = await listed(...ndjson);
  expect({ status, found: found(out) }).toEqual({ status: 0, found: [path('b'), path('a')] });
  const line = expect.stringMatching(/^2 captures: 2 same \(6 updates\) in \d+\.\d s\n$/);
  expect(await listed('--values')).toEqual({ status: 0, out: line, err: '' });
  await writeFile(at('list'), '\n \r\n');
  expect((await listed()).err).toContain('lists no captures');
});

const NOT_BOTH = 'name the captures, or a file that lists them with --files-from; not both\n';

test.each([
  [['--files-from', 'gone'], 'gone: there is no such file\n'],
  [['x', '--files-from', 'gone'], NOT_BOTH],
  [[], expect.stringMatching(/^name captures: files, folders, globs or s3:.*\n$/)],
  [['x', '--timeout', '0'], '--timeout takes a number of seconds greater than 0\n'],
  [['x', '--shard-index', '3/3'], expect.stringMatching(/^--shard-index takes i\/n with i from 0.*\n$/)],
  [['x', '--shard', '0/2'], expect.stringMatching(/^--shard takes i\/n.*\n$/)],
  [['x', '--shard', '1/2', '--shard-index', '1/2'], expect.stringMatching(/both name a part.*\n$/)],
  [['x', '--reporter', 'tap'], '--reporter takes pretty, json, ndjson or junit\n'],
  [['x', '--json', '--reporter', 'junit'], expect.stringMatching(/are different reports.*\n$/)],
])('refuses %j in one line, with status 2', async (args, err) => {
  expect(await runTool('verify', ...args)).toEqual(refused(err));
});

const NAMES = Array.from({ length: 12 }, (_, i) => `session-${i}`);

test('contract §7 shard: puts each capture in exactly one shard, whatever other captures there are', async () => {
  const { at, verify, path } = await corpus(...NAMES);
  const shardOf = async (...args: string[]) => found((await verify(...ndjson, ...args)).out);
  const shards = await Promise.all(['1/3', '2/3', '3/3'].map((part) => shardOf('--shard', part)));
  expect(shards.flat().sort()).toEqual(NAMES.map(path).sort());
  for (const one of shards) expect(one.length).toBeGreaterThan(0);
  expect(await shardOf('--shard-index', '1/3')).toEqual(shards[1]);
  const [kept = ''] = shards[1] ?? [];
  // The name inside the folder counts: the folder may be elsewhere, with fewer captures.
  const apart = await temporaryFolder();
  await writeCapture(apart(kept.slice(at('').length)), RECORDS);
  const { out } = await runTool('verify', apart(''), '--shard', '2/3', '--json');
  expect(JSON.parse(out).captures).toBe(1);
});

test('contract §7 resume: verifies only what an earlier report lacks, and reports both', async () => {
  const names = ['changed1', 'changed2', 'good1', 'good2'];
  const { at, verify, path } = await corpus(...names);
  const { out: first } = await verify(...ndjson);
  const both = { captures: 4, same: 2, differs: 2, groups: [{ count: 2 }] };
  // Its writer was killed in the middle of the third line of results, or of its header.
  for (const [length, kept] of [[first.indexOf('good1'), 2] as const, [20, 0] as const]) {
    const torn = first.slice(0, length);
    await writeFile(at('out.ndjson'), torn);
    const resumed = await verify(...ndjson, '--resume', at('out.ndjson'));
    expect([resumed.status, found(resumed.out)]).toEqual([1, names.slice(kept).map(path)]);
    expect(lines(resumed.out).at(-1)).toMatchObject(both);
    // A report that is appended to is complete.
    await writeFile(at('out.ndjson'), torn + resumed.out);
    const merged = await runTool('verify', 'merge', at('out.ndjson'), '--json');
    expect([merged.status, JSON.parse(merged.out)]).toMatchObject([1, both]);
  }
});

test('stops after --max-failures, says so, and does not continue when an earlier report reached it', async () => {
  const { at, verify } = await corpus('changed1', 'changed2', 'changed3', 'good');
  const stopping = ['--max-failures', '2'];
  const said = 'stopped by --max-failures: these are the results so far\n2 captures: 2 differ';
  expect(await verify(...stopping)).toMatchObject({ status: 1, out: expect.stringContaining(said) });
  await writeFile(at('out.ndjson'), (await verify(...stopping, ...ndjson)).out);
  const { status, out } = await verify(...stopping, ...ndjson, '--resume', at('out.ndjson'));
  expect({ status, found: found(out) }).toEqual({ status: 1, found: [] });
  expect(lines(out).at(-1)).toMatchObject({ end: 'max-failures', captures: 2, interrupted: false });
});

test('contract §7 merge: makes one report of shards, and names a shard that is missing or incomplete', async () => {
  const { at, verify } = await corpus(...NAMES, 'changed1', 'changed2');
  for (const i of [1, 2, 3]) await writeFile(at(`${i}`), (await verify(...ndjson, '--shard', `${i}/3`)).out);
  const merge = () => runTool('verify', 'merge', ...['1', '2', '3'].map(at));
  const whole = await merge();
  expect(whole).toMatchObject({ status: 1, err: '' });
  expect(whole.out).toContain('14 captures: 12 same (36 updates), 2 differ');
  expect(whole.out).toContain('2 captures with this signature');
  const part = await runTool('verify', 'merge', at('1'), at('3'), '--reporter', 'junit');
  expect(part).toMatchObject({ status: 2, err: 'shard 2/3 is missing\n' });
  expect(part.out).toContain('<error type="interrupted"');
  const text = await readFile(at('2'), 'utf8');
  await writeFile(at('2'), text.slice(0, text.indexOf('{"end"')));
  const incomplete = 'shard 2/3 is incomplete; run it again with --resume\n';
  expect(await merge()).toMatchObject({ status: 2, err: incomplete });
  await writeFile(at('2'), '{"captures":1}\n');
  const err = `${at('2')}: is not a report of --reporter ndjson\n`;
  expect(await merge()).toMatchObject({ status: 2, err });
});
