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
  return printed.out;
}

test('writes a test case for each capture, distinguishes failures and errors, describes each signature once, skips a known failure, and has an error when the run was interrupted', async () => {
  await expect(report('complete')).toMatchFileSnapshot('testing/junit-complete.xml');
  const known = report('SIGTERM', 'differs: text, applied: messages[*]["<x>"]');
  await expect(known).toMatchFileSnapshot('testing/junit-interrupted.xml');
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
