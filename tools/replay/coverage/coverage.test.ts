import { type Profiler, Session } from 'node:inspector';
import { Script } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { findBranches } from './loadBranches.ts';
import { reachedBranches } from './reachedBranches.ts';
import { type Candidate, greedyCover } from '../commands/corpus.ts';

const SAMPLE = `
function called(a) {
  if (a > 1) return 'if';
  if (a > 0) { a = 0 } else { a = 9 }
  const both = a === 7 || a === 0 || a === 8;
  const value = both ? a : 'other';
  switch (value) {
    case 0:
      break;
    default:
      return a ?? 'missing';
  }
  for (const one of []) a = one;
  try { return a && a.name } catch { return a }
}
function uncalled(a) { return a ? 1 : 2 }
const curried = (a) => (b) => a + b;
`;

function profileOf(call: string): readonly Profiler.ScriptCoverage[] {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  new Script(`${SAMPLE}\n${call}`, { filename: 'file:///sample.js' }).runInNewContext();
  let profile: readonly Profiler.ScriptCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (_, { result }) => (profile = result));
  return profile;
}

const PLACE = { file: '', line: 1, column: 1, text: '' };
const branches = findBranches(SAMPLE).map((one) => Object.assign(one, PLACE));

test('finds the branches that a call does not reach', async () => {
  const module = { name: 'sample.js', length: SAMPLE.length, branches };
  const reached = new Set(reachedBranches(profileOf('called(2)'), [module]));
  const unreached = branches.filter((_, index) => !reached.has(index));
  const lines = unreached.map(({ kind, at }) => `${kind}: ${SAMPLE.slice(at).split('\n')[0]}\n`);
  await expect(lines.join('')).toMatchFileSnapshot('testing/unreached.txt');
});

const capture = (path: string, bytes: number, ...reached: number[]): Candidate => ({ path, bytes, reached });

test.each<[string, readonly Candidate[], readonly string[]]>([
  ['no capture that reaches nothing', [capture('a', 1)], []],
  ['the one with the most', [capture('a', 1, 1), capture('b', 9, 1, 2, 3), capture('c', 1, 2)], ['b']],
  ['the smallest of equal captures', [capture('a', 9, 1, 2), capture('b', 8, 1, 2)], ['b']],
])('keeps %s', (_, captures, kept) => {
  expect(greedyCover(captures).map(({ path }) => path)).toEqual(kept);
});
