import { expect, test } from 'vitest';
import { hashPassword, passwordHashSchema, passwordMatches } from './passwords.ts';

test('a password, matches its own hash and no other', async () => {
  const kept = await hashPassword('engine1843!');
  expect(await passwordMatches('engine1843!', kept)).toBe(true);
  expect(await passwordMatches('engine1843?', kept)).toBe(false);
});

test('the same password twice, is hashed with a salt of its own', async () => {
  const [one, other] = await Promise.all([hashPassword('engine1843!'), hashPassword('engine1843!')]);
  expect(one.salt).not.toBe(other.salt);
  expect(one.hash).not.toBe(other.hash);
  expect(JSON.stringify(one)).not.toContain('engine');
});

test('a hash of other parameters, is computed with those', async () => {
  // Made with Python's hashlib.scrypt.
  const kept = passwordHashSchema.parse({
    salt: 'c2FsdA',
    hash: 'jL4k9_PhfLnPBGF1D4sonoK2-W0Goi6MgWK0sxeKccE',
    n: 1024,
    r: 4,
    p: 2,
  });
  expect(await passwordMatches('engine1843!', kept)).toBe(true);
});

/** The quickest of some runs, in milliseconds: what it takes when nothing else is in the way. */
async function quickest(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  while (times.length < 5) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}

test('nobody’s password, matches nothing and takes as long as somebody’s', async () => {
  const kept = await hashPassword('engine1843!');
  expect(await passwordMatches('', undefined)).toBe(false);
  const somebody = await quickest(() => passwordMatches('engine1844!', kept));
  const nobody = await quickest(() => passwordMatches('engine1844!', undefined));
  expect(nobody).toBeGreaterThan(somebody / 2);
});
