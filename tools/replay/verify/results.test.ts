import { expect, test } from 'vitest';
import { type ResultRecord, recordOf } from './resultRecord.ts';
import { createTally } from './failureGroups.ts';
import { junitReporter } from './createReporter.ts';
import { createOutput } from '../testing/files.ts';
import type { RunEnd } from './resultsFile.ts';
import { inspectCommand, resultLines, unpainted } from './resultLines.ts';

const difference = {
  update: { number: 4, kind: 'text', effect: 'applied', tick: 400 },
  state: [{ path: 'messages[0]["<x>"]', expected: ']]>', got: '"' }],
  end: [],
};

const common = { warnings: [], ms: 2 };
const problem = 'd\u0007\ud800: is <empty> & "bad"';

const RESULTS: readonly ResultRecord[] = [
  { ...common, capture: 'a&b.parley.jsonl', ms: 1.5, outcome: 'same', updates: 3 },
  { ...common, capture: 'c.parley.jsonl', outcome: 'differs', difference },
  { ...common, capture: 'e.parley.jsonl', outcome: 'differs', difference },
  { ...common, capture: 'd.parley.jsonl', ms: 0, outcome: 'unusable', problem },
];

function report(end: RunEnd, ...known: readonly string[]) {
  const { output, printed } = createOutput();
  const reporter = junitReporter({ output, advice: '', command: 'verify', shard: undefined });
  const tally = createTally(new Set(known));
  for (const result of RESULTS) {
    const record = recordOf(result);
    reporter.add(record, tally.add(record));
  }
  reporter.end({ end, totals: tally.totals, groups: tally.groups(), seconds: 0.25 });
  return printed.out.split('\n');
}

test('writes a test case for each capture, distinguishes failures and errors, and describes each signature once', () => {
  const failure =
    '<failure type="differs" message="differs: text, applied: messages[*][&quot;&lt;x&gt;&quot;]">';
  expect(report('complete')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites tests="4" failures="2" errors="1" time="0.250">',
    '  <testsuite name="parley-replay" tests="4" failures="2" errors="1" time="0.250">',
    '    <testcase classname="parley-replay" name="a&amp;b.parley.jsonl" time="0.0015"/>',
    `    <testcase classname="parley-replay" name="c.parley.jsonl" time="0.0020">${failure}` +
      '  first differs after update 4 (text, applied, at 400 ms)',
    '    messages[0][&quot;&lt;x&gt;&quot;]',
    '      expected  &quot;]]&gt;&quot;',
    '      got       &quot;\\&quot;&quot;',
    '  inspect it with: npm run replay -- open c.parley.jsonl --update 4</failure></testcase>',
    `    <testcase classname="parley-replay" name="e.parley.jsonl" time="0.0020">${failure}` +
      '  the same signature as c.parley.jsonl</failure></testcase>',
    '    <testcase classname="parley-replay" name="d.parley.jsonl" time="0.0000">' +
      '<error type="unusable" message="d\uFFFD\uFFFD: is &lt;empty&gt; &amp; &quot;bad&quot;"/></testcase>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ]);
});

test('skips a known failure, and has an error when the run was interrupted', () => {
  const lines = report('SIGTERM', 'differs: text, applied: messages[*]["<x>"]');
  expect(lines[1]).toBe('<testsuites tests="5" failures="0" errors="2" skipped="2" time="0.250">');
  expect(lines[4]).toContain('<skipped message="known: differs: text, applied');
  const message = 'interrupted by SIGTERM: these are the results so far';
  expect(lines.at(-4)).toContain(`<error type="interrupted" message="${message}"/>`);
});

const differing = (capture: string, place: object) => {
  return { ...common, capture, outcome: 'differs', difference: { state: [], end: [], ...place } } as const;
};

test.each([
  ["it's a (b).parley.jsonl", String.raw`'it'\''s a (b).parley.jsonl'`],
  ['-x.parley.jsonl', './-x.parley.jsonl'],
])('quotes the path %s for a shell', (capture, quoted) => {
  const command = inspectCommand(differing(capture, { update: difference.update }));
  expect(command).toBe(`npm run replay -- open ${quoted} --update 4`);
});

test('names the first time at which a session differs when no update does', () => {
  const end = [{ path: 'windows[1].own.textBox at 20.5 ms' }];
  const result = differing('x', { at: 20.5, end });
  expect(inspectCommand(result)).toBe('npm run replay -- open x --at 20.5');
  expect(inspectCommand(result, { base: 'main' })).toBe('npm run replay -- open x --base main --at 20.5');
  expect(resultLines(result, unpainted)).toContain('  all updates are the same; first differs at 20.5 ms');
});
