import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { configIn } from '../inspector/testing/serveFor.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(1, item('hi')),
  recv(2, { text: 'Hi' }),
];

/** Two captures with goldens. */
async function corpus() {
  const at = await temporaryFolder();
  const good = await writeCapture(at('good.parley.jsonl'), RECORDS);
  const changed = await writeCapture(at('changed.parley.jsonl'), RECORDS);
  await runTool('verify', at(''), '--update');
  return { at, folder: at(''), good, changed };
}

/** As if the fold had changed: the golden says otherwise. */
async function makeDiffer(golden: string) {
  const text = await readFile(golden, 'utf8');
  await writeFile(
    golden,
    text.replace('"messages[0].content[1].text":"Hi"', '"messages[0].content[1].text":"Ho"'),
  );
}

test('contract §7 verify, exit status: prints one line when nothing differs, with status 0', async () => {
  const { folder } = await corpus();
  const { status, out, err } = await runTool('verify', folder, '--values');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/^2 captures: 2 same \(6 updates\) in \d+\.\d s\n$/);
});

test('contract §7 verify, exit status: reports the update, the path and the three values of a difference, with status 1', async () => {
  const { at, folder, changed } = await corpus();
  await makeDiffer(at('changed.golden.json'));
  const { status, out } = await runTool('verify', folder, '--values');
  expect(status).toBe(1);
  expect(out.split('\n').slice(0, 6)).toEqual([
    `differs  ${changed}`,
    '  first differs after update 3 (text, applied, at 300 ms)',
    '    messages[0].content[1].text',
    '      before    "hi"',
    '      expected  "Ho"',
    '      got       "Hi"',
  ]);
  expect(out).toContain(`\n  inspect    npm run replay -- open ${changed} --update 3\n`);
  expect(out).toContain('2 captures: 1 same (3 updates), 1 differs');
  expect(out).toContain('--update');
});

/** A corpus with two failures of one signature and one of another. */
async function failing() {
  const { at, folder, changed } = await corpus();
  await writeCapture(at('it is.parley.jsonl'), RECORDS);
  await writeCapture(at('renamed.parley.jsonl'), [...RECORDS, recv(3, { name: 'Grace' })]);
  await runTool('verify', folder, '--update');
  for (const name of ['changed', 'it is']) await makeDiffer(at(`${name}.golden.json`));
  const golden = at('renamed.golden.json');
  await writeFile(golden, (await readFile(golden, 'utf8')).replaceAll('"Grace"', '"Ada"'));
  return { at, folder, changed };
}

test('--report-dir writes a report of one example of each signature, and an index, readable by their owner only', async () => {
  const { at, folder, changed } = await failing();
  const reports = at('reports');
  const { status, err } = await runTool('verify', folder, '--report-dir', reports);
  expect({ status, err }).toEqual({
    status: 1,
    err: `${reports}/index.html: reports of 2 signatures\nThey contain texts of the sessions: --redact replaces personal data.\n`,
  });
  const names = (await readdir(reports)).sort();
  expect(names).toEqual([
    expect.stringMatching(/^differs-[0-9a-f]{12}\.html$/),
    expect.stringMatching(/^differs-[0-9a-f]{12}\.html$/),
    'index.html',
  ]);
  for (const name of names) expect((await stat(join(reports, name))).mode & 0o777).toBe(0o600);
  const index = await readFile(join(reports, 'index.html'), 'utf8');
  expect(index).toContain('<h1>3 failures with 2 signatures</h1>');
  const [, first = ''] =
    new RegExp(`<td>2</td>.*${changed}.*<a href="([^"]+)">update 3</a>`).exec(index) ?? [];
  expect(configIn(await readFile(join(reports, first), 'utf8'))).toMatchObject({
    source: { name: 'changed.parley.jsonl' },
    update: 3,
  });
});

test('--report-dir refuses a folder that is not empty; with --force it replaces the reports of an earlier run only', async () => {
  const { at, folder, changed } = await failing();
  const reports = at('reports');
  await runTool('verify', folder, '--report-dir', reports);
  await writeFile(join(reports, 'notes.html'), 'mine');
  expect(await runTool('verify', folder, '--report-dir', reports)).toEqual({
    status: 2,
    out: '',
    err: `${reports}: is not empty; replace its reports with --force, or name another folder\n`,
  });
  const { err } = await runTool('verify', changed, '--report-dir', reports, '--force', '--redact');
  expect(err).toContain('review the output');
  const names = (await readdir(reports)).sort();
  expect(names).toEqual([expect.stringMatching(/^differs-/), 'index.html', 'notes.html']);
  const texts = await Promise.all(names.map((name) => readFile(join(reports, name), 'utf8')));
  expect(texts.join('')).not.toContain('changed.parley.jsonl');
});

test('--update distinguishes new, changed and unchanged goldens', async () => {
  const { at, folder } = await corpus();
  await makeDiffer(at('changed.golden.json'));
  await writeCapture(at('new.parley.jsonl'), RECORDS);
  const { status, out } = await runTool('verify', folder, '--update');
  expect(status).toBe(0);
  expect(out).toContain(
    `changed  golden of ${at('changed.parley.jsonl')}\nnew      golden of ${at('new.parley.jsonl')}\n`,
  );
  expect(out).toContain('3 captures: 2 of 3 goldens written');
  expect(await runTool('verify', folder)).toMatchObject({ status: 0 });
});

const HEADER = '{"format":"parley-capture","version":1,"startedAt":"2026-11-20T09:00:00.000Z","app":"0.1.0"}';
const OPEN = '{"t":5,"type":"open"}';

test.each([
  ['not a capture', '# a note\n', ':1: is not JSON'],
  ['another format', '{"format":"har","version":1}\n', ':1: is not the header of a Parley capture'],
  [
    'a newer version',
    HEADER.replace(/"version":\d/, '"version":3'),
    ':1: has version 3; this Parley reads up to 2',
  ],
  ['a broken line in the middle', `${HEADER}\n${OPEN}\n{"t":6,\n${OPEN}\n`, ':3: is not JSON'],
  [
    'time goes back',
    `${HEADER}\n${OPEN}\n{"t":4,"type":"open"}\n`,
    ':3: goes back in time, from 5 to 4; its first 2 lines can be used: head -n 2',
  ],
  ['an empty file', '', ': is empty'],
])(
  'contract §7 exit status: %s: one line names the file and the line, with status 2, and the others are verified',
  async (_, text, problem) => {
    const { at, folder } = await corpus();
    await writeFile(at('bad.parley.jsonl'), text);
    await writeFile(at('bad.golden.json'), await readFile(at('good.golden.json')));
    await makeDiffer(at('changed.golden.json'));
    const { status, out } = await runTool('verify', folder, '--values');
    expect(status).toBe(2);
    expect(out.split('\n')[0]).toBe(`unusable ${at('bad.parley.jsonl')}${problem}`);
    expect(out).toContain('3 captures: 1 same (3 updates), 1 differs, 1 unusable');
  },
);

test('warns about a truncated last line and verifies everything before it', async () => {
  const { at, good } = await corpus();
  await writeFile(good, `${await readFile(good, 'utf8')}{"t":9,"ty`);
  const { status, err } = await runTool('verify', good);
  expect(status).toBe(0);
  expect(err).toMatch(new RegExp(`^warning: ${at('good.parley.jsonl')}:5: is not JSON; .*\n$`));
});

test('reports a missing capture rather than its golden with status 2, and verifies the others', async () => {
  const { at, good } = await corpus();
  const { status, out } = await runTool('verify', at('gone.parley.jsonl'), good);
  expect(status).toBe(2);
  expect(out).toContain(`unusable ${at('gone.parley.jsonl')}: there is no such file\n`);
  expect(out).toContain('1 same');
});

test('says what to do about a missing and a damaged golden, with status 2', async () => {
  const { at, folder } = await corpus();
  await writeFile(at('changed.golden.json'), '{"format":"parley-golden","version":0}');
  await writeCapture(at('new.parley.jsonl'), RECORDS);
  const { status, out } = await runTool('verify', folder, '--values');
  expect(status).toBe(2);
  expect(out).toContain(`unusable ${at('changed.golden.json')}: has version 0 of the golden format`);
  expect(out).toContain(
    `unusable ${at('new.golden.json')}: there is no golden yet; run verify with --update\n`,
  );
  expect(out).toContain('3 captures: 1 same (3 updates), 2 unusable');
});

test('reports a golden that cannot be written with status 2, and writes the others', async () => {
  const { at, folder } = await corpus();
  await writeCapture(at('new.parley.jsonl'), RECORDS);
  await writeCapture(at('stuck.parley.jsonl'), RECORDS);
  await mkdir(at('stuck.golden.json'));
  const { status, out } = await runTool('verify', folder, '--update');
  expect(status).toBe(2);
  expect(out).toContain(`unusable ${at('stuck.golden.json')}: is a folder`);
  expect(await readdir(dirname(at('x')))).toContain('new.golden.json');
});

test('puts each capture in exactly one shard', async () => {
  const { folder, good, changed } = await corpus();
  const shards = ['1/3', '2/3', '3/3'].map((part) => runTool('verify', folder, '--shard', part, '--json'));
  const names = (await Promise.all(shards)).map(({ out }) =>
    JSON.parse(out).results.map(({ capture }: { capture: string }) => capture),
  );
  expect(names).toEqual([[good], [], [changed]]);
});

test('prints one JSON document with totals and each result', async () => {
  const { at, folder } = await corpus();
  await makeDiffer(at('changed.golden.json'));
  const { out } = await runTool('verify', folder, '--json');
  expect(JSON.parse(out)).toMatchObject({
    captures: 2,
    same: 1,
    differs: 1,
    unusable: 0,
    results: [{ outcome: 'differs', difference: { update: { number: 3 } } }, { outcome: 'same' }],
  });
});

test.each([
  ['--shard', '0/2', '--shard takes i/n'],
  ['--shard', '3/2', '--shard takes i/n'],
  ['--shard', 'x', '--shard takes i/n'],
  ['--workers', '0', '--workers takes a whole number from 1'],
  ['--reporter', 'tap', '--reporter takes pretty, json, ndjson or junit'],
])('refuses %s %s in one line, with status 2', async (option, value, problem) => {
  const { status, out, err } = await runTool('verify', 'x', option, value);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toContain(problem);
  expect(err.trim().split('\n')).toHaveLength(1);
});

test('refuses a folder without captures in one line, with status 2', async () => {
  const at = await temporaryFolder();
  const { status, err } = await runTool('verify', at(''));
  expect(status).toBe(2);
  expect(err).toBe(`${at('')}: contains no captures (*.parley.jsonl or *.har, or either of them with .gz)\n`);
});
