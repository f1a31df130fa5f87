import { expect, test } from 'vitest';
import { hashPassword, passwordHashSchema, passwordMatches } from './passwords.ts';

test('accepts a password with its own hash only', async () => {
  const kept = await hashPassword('engine1843!');
  expect(await passwordMatches('engine1843!', kept)).toBe(true);
  expect(await passwordMatches('engine1843?', kept)).toBe(false);
});

test('hashes each password with its own salt', async () => {
  const [one, other] = await Promise.all([hashPassword('engine1843!'), hashPassword('engine1843!')]);
  expect(one.salt).not.toBe(other.salt);
  expect(one.hash).not.toBe(other.hash);
  expect(JSON.stringify(one)).not.toContain('engine');
});

test('computes a hash with the parameters that are stored in it', async () => {
  // Computed with Python's hashlib.scrypt.
  const kept = passwordHashSchema.parse({
    salt: 'c2FsdA',
    hash: 'jL4k9_PhfLnPBGF1D4sonoK2-W0Goi6MgWK0sxeKccE',
    n: 1024,
    r: 4,
    p: 2,
  });
  expect(await passwordMatches('engine1843!', kept)).toBe(true);
});

/** Resolves with the least processor time of some runs, in microseconds, threads included: other programs matter least in it. */
async function measureCheapest(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  while (times.length < 5) {
    const began = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(began);
    times.push(user + system);
  }
  return Math.min(...times);
}

test('rejects a password without a stored hash, with the same work as a wrong password', async () => {
  const kept = await hashPassword('engine1843!');
  expect(await passwordMatches('', undefined)).toBe(false);
  const known = await measureCheapest(() => passwordMatches('engine1844!', kept));
  const unknown = await measureCheapest(() => passwordMatches('engine1844!', undefined));
  expect(unknown).toBeGreaterThan(known / 2);
});
