import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../harness/root.ts';
import { SCENARIOS } from '../scenarios.ts';
import { withoutFix } from './revert.ts';
import { REVERTS } from './reverts.ts';

test.each(REVERTS.map((revert) => [revert.name, revert] as const))(
  'the revert "%s" matches the sources and names a scenario',
  (_, { scenario, edits }) => {
    expect(SCENARIOS.map(({ name }) => name)).toContain(scenario);
    for (const edit of edits) {
      expect(edit.without).not.toBe(edit.now);
      expect(withoutFix(readFileSync(join(ROOT, edit.file), 'utf8'), edit)).toBeDefined();
    }
  },
);
