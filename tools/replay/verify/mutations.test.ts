import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKOUT } from './testing/checkout.ts';
import { SEEDED_MUTATIONS, withMutation } from './testing/mutations.ts';

test.each(SEEDED_MUTATIONS.map((one) => [one.name, one] as const))(
  'the mutation "%s" matches the sources',
  (_, mutation) => {
    const text = readFileSync(join(CHECKOUT, mutation.file), 'utf8');
    expect(withMutation(text, mutation)).toBeDefined();
    expect(withMutation(text, mutation)).not.toBe(text);
  },
);

test('there are thirty mutations, each with a name of its own', () => {
  const names = SEEDED_MUTATIONS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  expect(names).toHaveLength(30);
});
