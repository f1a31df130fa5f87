import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../harness/root.ts';
import { withoutFix } from './revert.ts';
import { REVERTS } from './reverts.ts';

const SCENARIOS = join(ROOT, 'soak', 'scenarios');
const sources = readdirSync(SCENARIOS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(SCENARIOS, name), 'utf8'));

test.each(REVERTS.map((revert) => [revert.name, revert] as const))(
  'the revert "%s" matches the sources and names a scenario',
  (_, { scenario, edits }) => {
    // To import the scenarios takes too long for a fast test.
    expect(sources.some((source) => source.includes(`  name: '${scenario}',\n`))).toBe(true);
    for (const edit of edits) {
      expect(edit.without).not.toBe(edit.now);
      expect(withoutFix(readFileSync(join(ROOT, edit.file), 'utf8'), edit)).toBeDefined();
    }
  },
);

test('each revert has a name of its own', () => {
  const names = REVERTS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});
