import { readFile, rename, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(1, item('hi')),
  recv(2, { text: 'Hi' }),
];
const TEXT = '"messages[0].content[1].text":"Hi"';
const SIGNATURE = 'differs: text, applied: messages[*].content[*].text';

/** Captures with goldens; those whose name begins with `changed` differ from theirs. */
async function corpus(...names: readonly string[]) {
  const at = await temporaryFolder();
  for (const name of names) await writeCapture(at(`${name}.parley.jsonl`), RECORDS);
  await runTool('verify', at(''), '--update');
  for (const name of names.filter((one) => one.startsWith('changed'))) {
    const golden = await readFile(at(`${name}.golden.json`), 'utf8');
    await writeFile(at(`${name}.golden.json`), golden.replace(TEXT, TEXT.replace('Hi', 'secret')));
  }
  return {
    at,
    path: (name: string) => at(`${name}.parley.jsonl`),
    verify: (...args: readonly string[]) => runTool('verify', at(''), ...args),
  };
}

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const found = (text: string): string[] => lines(text).flatMap(({ capture }) => capture ?? []);

test('contract §7 ndjson: prints a header, each result on a line, and the end with the groups', async () => {
  const { verify, path } = await corpus('changed1', 'changed2', 'good');
  const { status, out } = await verify('--reporter', 'ndjson');
  expect(status).toBe(1);
  const [header, first, second, third, end] = lines(out);
  expect(header).toEqual({ format: 'parley-results', version: 1, command: 'verify' });
  expect(first).toMatchObject({ capture: path('changed1'), outcome: 'differs', signature: SIGNATURE });
  expect(first.difference.state).toEqual([{ path: 'messages[0].content[1].text' }]);
  expect(second).toEqual({
    capture: path('changed2'),
    outcome: 'differs',
    ms: expect.any(Number),
    warnings: [],
    signature: SIGNATURE,
  });
  expect(third).toMatchObject({ outcome: 'same', updates: 3, ms: expect.any(Number) });
  expect(end).toMatchObject({ end: 'complete', captures: 3, same: 1, differs: 2 });
  expect(end.groups).toEqual([{ signature: SIGNATURE, count: 2, known: false, example: path('changed1') }]);
});

test('groups failures with one signature in one paragraph', async () => {
  const { verify, path } = await corpus(
    'changed1',
    'changed2',
    'changed3',
    'changed4',
    'changed5',
    'changed6',
  );
  const { out } = await verify();
  expect(out.split('\n').slice(0, 7)).toEqual([
    `differs  ${path('changed1')}`,
    '  first differs after update 3 (text, applied, at 300 ms)',
    '    messages[0].content[1].text',
    `  signature  ${SIGNATURE}`,
    `  inspect    npm run replay -- open ${path('changed1')} --update 3`,
    `  6 captures with this signature; also ${['changed2', 'changed3', 'changed4'].map(path).join(', ')} and 2 more`,
    '',
  ]);
});

test.each([['pretty'], ['json'], ['ndjson'], ['junit']])(
  'prints values with the reporter %s only when they are requested',
  async (reporter) => {
    const { verify } = await corpus('changed');
    const without = await verify('--reporter', reporter);
    expect(without.out).toContain('messages[0].content[1].text');
    expect(without.out).not.toContain('secret');
    expect((await verify('--reporter', reporter, '--values')).out).toContain('secret');
  },
);

test('separates known failures from new ones, and only new ones count', async () => {
  const { at, verify } = await corpus('changed1', 'changed2', 'good');
  await writeFile(at('known.json'), JSON.stringify([SIGNATURE]));
  const { status, out } = await verify('--known', at('known.json'));
  expect(status).toBe(0);
  expect(out.split('\n')[0]).toBe(`known    2 captures: ${SIGNATURE}`);
  expect(out).toContain('3 captures: 1 same (3 updates), 2 differ, 2 of the failures known');
  await writeFile(at('report.json'), (await verify('--json')).out);
  const document = await verify('--known', at('report.json'), '--json');
  expect(document.status).toBe(0);
  expect(JSON.parse(document.out)).toMatchObject({ known: 2, groups: [{ known: true, count: 2 }] });
  await writeFile(at('known.json'), '["differs: another"]');
  expect((await verify('--known', at('known.json'))).status).toBe(1);
});

test.each([
  ['{"signatures":[]}', 'is neither a JSON list of signatures nor a report of --reporter json'],
  [undefined, 'there is no such file'],
])('refuses the known signatures %j in one line, with status 2', async (text, problem) => {
  const { at, verify } = await corpus('good');
  if (text !== undefined) await writeFile(at('known.json'), text);
  expect(await verify('--known', at('known.json'))).toEqual({
    status: 2,
    out: '',
    err: `${at('known.json')}: ${problem}\n`,
  });
});

test('stops after --max-failures, and says so', async () => {
  const { verify } = await corpus('changed1', 'changed2', 'changed3', 'good');
  const { status, out } = await verify('--max-failures', '2');
  expect(status).toBe(1);
  expect(out).toContain('stopped by --max-failures: these are the results so far\n2 captures: 2 differ');
  const document = JSON.parse((await verify('--max-failures', '2', '--json')).out);
  expect(document).toMatchObject({ captures: 2, end: 'max-failures', interrupted: false });
});

test('contract §7 files-from: verifies the captures that a file lists', async () => {
  const { at, path } = await corpus('a', 'b', 'c');
  await writeFile(at('list'), `${path('b')}\r\n\n${path('a')}\n`);
  const { status, out } = await runTool('verify', '--files-from', at('list'), '--reporter', 'ndjson');
  expect(status).toBe(0);
  expect(found(out)).toEqual([path('b'), path('a')]);
});

test.each([
  ['no captures', '\n \r\n', 'lists no captures'],
  ['stdin', '-\n', '- (stdin) works only for commands that read one capture once'],
])('refuses a list of --files-from with %s, with status 2', async (_, list, problem) => {
  const { at } = await corpus();
  await writeFile(at('list'), list);
  const { status, out, err } = await runTool('verify', '--files-from', at('list'));
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(problem) });
  expect(out).toBe('');
});

test.each([
  [['--files-from', 'gone'], 'gone: there is no such file\n'],
  [
    ['x', '--files-from', 'gone'],
    'name the captures, or a file that lists them with --files-from; not both\n',
  ],
  [
    [],
    'name captures: files, folders, globs or s3://bucket/folder; or a file that lists them with --files-from\n',
  ],
  [['x', '--timeout', '0'], '--timeout takes a number of seconds greater than 0\n'],
  [
    ['x', '--shard-index', '3/3'],
    '--shard-index takes i/n with i from 0, such as 0/3: the first of three parts\n',
  ],
  [['x', '--resume', 'gone'], 'gone: there is no such file\n'],
  [
    ['x', '--shard', '1/2', '--shard-index', '1/2'],
    '--shard and --shard-index both name a part; leave one of them out\n',
  ],
  [
    ['x', '--json', '--reporter', 'junit'],
    '--json and --reporter junit are different reports; leave one of them out\n',
  ],
  [['x', '--report-dir', ''], '--report-dir takes the path of a folder\n'],
  [[''], 'the name of a capture is empty; name a file or a folder\n'],
  [['merge', 'gone'], 'gone: there is no such file\n'],
])('refuses %j in one line, with status 2', async (args, err) => {
  expect(await runTool('verify', ...args)).toEqual({ status: 2, out: '', err });
});

const NAMES = Array.from({ length: 24 }, (_, i) => `session-${i}`);

test('contract §7 shard: puts each capture in exactly one shard, whatever other captures there are', async () => {
  const { at, verify, path } = await corpus(...NAMES);
  const shardOf = async (...args: string[]) => found((await verify('--reporter', 'ndjson', ...args)).out);
  const shards = await Promise.all(['1/3', '2/3', '3/3'].map((part) => shardOf('--shard', part)));
  expect(shards.flat().sort()).toEqual(NAMES.map(path).sort());
  for (const one of shards) expect(one.length).toBeGreaterThan(3);
  expect(await shardOf('--shard-index', '1/3')).toEqual(shards[1]);
  const [kept = ''] = shards[1] ?? [];
  // The name inside the folder counts: the folder may be elsewhere, with fewer captures.
  const apart = await temporaryFolder();
  await writeCapture(apart(kept.slice(at('').length)), RECORDS);
  const { out } = await runTool('verify', apart(''), '--shard', '2/3', '--json');
  expect(JSON.parse(out).captures).toBe(1);
});

test('contract §7 resume: verifies only what an earlier report lacks, and reports both', async () => {
  const { at, verify, path } = await corpus('changed1', 'changed2', 'good1', 'good2');
  const { out: first } = await verify('--reporter', 'ndjson');
  // Its writer was killed in the middle of the third line of results.
  const torn = first.slice(0, first.indexOf('good1'));
  await writeFile(at('out.ndjson'), torn);
  const resumed = await verify('--reporter', 'ndjson', '--resume', at('out.ndjson'));
  expect(resumed.status).toBe(1);
  expect(found(resumed.out)).toEqual([path('good1'), path('good2')]);
  expect(lines(resumed.out).at(-1)).toMatchObject({
    captures: 4,
    same: 2,
    differs: 2,
    groups: [{ count: 2 }],
  });
  const pretty = await verify('--resume', at('out.ndjson'));
  expect(pretty.out).toContain('4 captures: 2 same (6 updates), 2 differ');
  // A report that is appended to is complete.
  await writeFile(at('out.ndjson'), torn + resumed.out);
  const merged = await runTool('verify', 'merge', at('out.ndjson'), '--json');
  expect(merged.status).toBe(1);
  expect(JSON.parse(merged.out)).toMatchObject({ captures: 4, same: 2, differs: 2, groups: [{ count: 2 }] });
});

test('--resume accepts a report that ends in its header, also after the next one was appended to it', async () => {
  const { at, verify, path } = await corpus('a', 'b');
  const { out: whole } = await verify('--reporter', 'ndjson');
  const header = whole.slice(0, 20);
  await writeFile(at('out.ndjson'), header);
  const resumed = await verify('--reporter', 'ndjson', '--resume', at('out.ndjson'));
  expect(found(resumed.out)).toEqual([path('a'), path('b')]);
  await writeFile(at('out.ndjson'), header + resumed.out);
  expect(await runTool('verify', 'merge', at('out.ndjson'))).toMatchObject({ status: 0, err: '' });
});

test.each([
  [['--shard', '1/2'], [], '`verify --shard 1/2`, not of `verify`'],
  [['--shard', '1/2'], ['--shard-index', '1/2'], '`verify --shard 1/2`, not of `verify --shard 2/2`'],
  [['--engine', 'fold'], [], '`verify --engine fold`, not of `verify`'],
  [['--update'], [], '`verify --update`, not of `verify`'],
])('--resume refuses a report with %j for a run with %j', async (before, after, reports) => {
  const { at, verify } = await corpus('a');
  await writeFile(at('out.ndjson'), (await verify('--reporter', 'ndjson', ...before)).out);
  expect(await verify('--resume', at('out.ndjson'), ...after)).toEqual({
    status: 2,
    out: '',
    err: `${at('out.ndjson')}: is a report of ${reports}; name a report of the same run\n`,
  });
});

test('verifies no further capture when an earlier report reached --max-failures', async () => {
  const { at, verify } = await corpus('changed1', 'changed2', 'good');
  const stopping = ['--reporter', 'ndjson', '--max-failures', '1'];
  await writeFile(at('out.ndjson'), (await verify(...stopping)).out);
  const { status, out } = await verify(...stopping, '--resume', at('out.ndjson'));
  expect({ status, found: found(out) }).toEqual({ status: 1, found: [] });
  expect(lines(out).at(-1)).toMatchObject({ end: 'max-failures', captures: 1 });
});

test('prints names of captures without their control characters, and the same problem of other names has one signature', async () => {
  const { at, path, verify } = await corpus('changed');
  const name = at('ev\u001b[31mil\n.parley.jsonl');
  await rename(path('changed'), name);
  await rename(at('changed.golden.json'), at('ev\u001b[31mil\n.golden.json'));
  const { out } = await verify();
  expect(out).toContain(`differs  ${at('ev·[31mil·.parley.jsonl')}\n`);
  expect(out).toContain(`open $'${at('ev\\u001b[31mil\\u000a.parley.jsonl')}' --update`);
  const missing = await runTool('verify', 'gone\u001b1', 'gone2', '--json');
  expect(JSON.parse(missing.out).groups).toMatchObject([
    { signature: 'unusable: there is no such file', count: 2 },
  ]);
  expect((await runTool('run', 'gone\u001b')).err).toBe('gone·: there is no such file\n');
});

test('contract §7 merge: makes one report of shards, and names a shard that is missing or incomplete', async () => {
  const { at, verify } = await corpus(...NAMES, 'changed1', 'changed2');
  for (const i of [1, 2, 3]) {
    const { out } = await verify('--reporter', 'ndjson', '--shard', `${i}/3`);
    await writeFile(at(`${i}.ndjson`), out);
  }
  const merge = (...args: string[]) =>
    runTool('verify', 'merge', ...args.map((one) => (one.endsWith('.ndjson') ? at(one) : one)));
  const whole = await merge('1.ndjson', '2.ndjson', '3.ndjson');
  expect(whole).toMatchObject({ status: 1, err: '' });
  expect(whole.out).toContain('26 captures: 24 same (72 updates), 2 differ');
  expect(whole.out).toContain('2 captures with this signature');
  const part = await merge('1.ndjson', '3.ndjson', '--reporter', 'junit');
  expect(part).toMatchObject({ status: 2, err: 'shard 2/3 is missing\n' });
  expect(part.out).toContain('<error type="interrupted"');
  const text = await readFile(at('2.ndjson'), 'utf8');
  await writeFile(at('2.ndjson'), text.slice(0, text.indexOf('{"end"')));
  expect(await merge('1.ndjson', '2.ndjson', '3.ndjson')).toMatchObject({
    status: 2,
    err: 'shard 2/3 is incomplete; run it again with --resume\n',
  });
  await writeFile(at('2.ndjson'), text.replace(/^\{"capture":/m, '{"capt'));
  expect(await merge('1.ndjson', '2.ndjson', '3.ndjson')).toMatchObject({
    status: 2,
    err: 'shard 2/3 lacks the results of 1 capture; run it again with --resume\n',
  });
  await writeFile(at('2.ndjson'), text.replace('"verify"', '"verify","options":"--engine fold"'));
  expect(await merge('1.ndjson', '2.ndjson', '3.ndjson')).toMatchObject({
    status: 2,
    err: 'the reports are of different commands: verify, verify --engine fold\n',
  });
  await writeFile(at('2.ndjson'), text.replace('"verify"', '"compare"'));
  expect(await merge('1.ndjson', '2.ndjson', '3.ndjson')).toMatchObject({
    status: 2,
    err: 'the reports are of different commands: verify, compare\n',
  });
  await writeFile(at('4.ndjson'), '{"captures":1}\n');
  expect(await merge('4.ndjson')).toMatchObject({
    status: 2,
    err: `${at('4.ndjson')}: is not a report of --reporter ndjson\n`,
  });
});

test('a merged report lists failures, counts the other captures, and has the time of their replays', async () => {
  const { at, verify, path } = await corpus('changed', 'good1', 'good2');
  const report = lines((await verify('--reporter', 'ndjson')).out);
  const timed = report.map((line) => (line.ms === undefined ? line : Object.assign(line, { ms: 600_000 })));
  await writeFile(at('1.ndjson'), timed.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const merge = async (reporter: string) =>
    (await runTool('verify', 'merge', at('1.ndjson'), '--reporter', reporter)).out;
  expect(await merge('pretty')).toContain(
    '\n3 captures: 2 same (6 updates), 1 differs; their replays took 1800.0 s\n',
  );
  const document = JSON.parse(await merge('json'));
  expect(document).toMatchObject({ captures: 3, same: 2, differs: 1, seconds: 1800 });
  expect(document.results).toEqual([expect.objectContaining({ capture: path('changed') })]);
  const junit = (await merge('junit')).split('\n');
  expect(junit[1]).toBe('<testsuites tests="3" failures="1" errors="0" time="1800.000">');
  expect(junit.filter((line) => line.includes('<testcase'))).toEqual([
    expect.stringContaining(`name="${path('changed')}" time="600.0000"><failure type="differs"`),
    '    <testcase classname="parley-replay" name="2 captures without a failure" time="1200.0000"/>',
  ]);
  expect(found(await merge('ndjson'))).toHaveLength(3);
});

test('a merged report prints the command with the adapter and the revision of its reports', async () => {
  const { at, verify, path } = await corpus('changed');
  const [header = '', ...rest] = (await verify('--reporter', 'ndjson')).out.split('\n');
  const about = { ...JSON.parse(header), app: './adapter.ts', base: 'main' };
  await writeFile(at('1.ndjson'), [JSON.stringify(about), ...rest].join('\n'));
  expect((await runTool('verify', 'merge', at('1.ndjson'))).out).toContain(
    `npm run replay -- open ${path('changed')} --app ./adapter.ts --base main --update 3\n`,
  );
});

test('merge counts the newest result of a capture', async () => {
  const { at, verify } = await corpus('changed', 'good');
  await writeFile(at('1.ndjson'), (await verify('--reporter', 'ndjson')).out);
  await verify('--update');
  await writeFile(at('2.ndjson'), (await verify('--reporter', 'ndjson')).out);
  expect(await runTool('verify', 'merge', at('1.ndjson'), at('2.ndjson'))).toMatchObject({ status: 0 });
  expect(await runTool('verify', 'merge', at('2.ndjson'), at('1.ndjson'))).toMatchObject({ status: 1 });
});

test('--quiet prints no warnings, and still prints errors', async () => {
  const { at, path } = await corpus('good');
  await writeFile(path('good'), `${await readFile(path('good'), 'utf8')}{"t":9,"ty`);
  const warned = await runTool('verify', path('good'));
  expect(warned.err).toContain('warning:');
  expect(await runTool('verify', path('good'), '--quiet')).toMatchObject({ status: 0, err: '' });
  expect(await runTool('-q', 'verify', path('good'))).toMatchObject({ status: 0, err: '' });
  expect(await runTool('run', at('gone'), '-q')).toMatchObject({
    status: 2,
    err: `${at('gone')}: there is no such file\n`,
  });
});

test('reports the results so far when a further capture cannot be found, with status 2', async () => {
  const { at, path } = await corpus('good');
  const { status, out, err } = await runTool('verify', path('good'), at('*.nothing'));
  expect({ status, err }).toEqual({ status: 2, err: `${at('*.nothing')}: no file matches\n` });
  expect(out).toContain('stopped by an error: these are the results so far\n1 capture: 1 same');
});
