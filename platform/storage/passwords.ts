import { type ScryptOptions, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';

/** A stored password: scrypt's output and the parameters to compute it again. */
export const passwordHashSchema = z.object({
  salt: z.base64url(),
  hash: z.base64url(),
  /** scrypt's cost, block size and parallelism. */
  n: z.int().positive(),
  r: z.int().positive(),
  p: z.int().positive(),
});

/** A password as it is stored. */
export type PasswordHash = z.infer<typeof passwordHashSchema>;

const COST = { n: 16_384, r: 8, p: 1 } as const;
const HASH_BYTES = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const compute = (password: string, salt: Buffer, { n, r, p }: Pick<PasswordHash, 'n' | 'r' | 'p'>) =>
  // OpenSSL requires a little more than scrypt's own 128·n·r bytes.
  derive(password, salt, HASH_BYTES, { N: n, r, p, maxmem: 256 * n * r });

/**
 * Hashes a password with a new random salt, in about 50 ms outside of the main thread.
 * @param n scrypt's cost.
 */
export async function hashPassword(password: string, n: number = COST.n): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const cost = { ...COST, n };
  const hash = await compute(password, salt, cost);
  return { salt: salt.toString('base64url'), hash: hash.toString('base64url'), ...cost };
}

/** The hash for an unknown account: no password matches it, and the check takes the same time. */
const NO_ACCOUNT: PasswordHash = {
  salt: Buffer.alloc(16).toString('base64url'),
  hash: Buffer.alloc(HASH_BYTES).toString('base64url'),
  ...COST,
};

/** Returns whether a password matches its hash. Without a hash, does the same work and returns false. */
export async function passwordMatches(password: string, kept: PasswordHash | undefined): Promise<boolean> {
  const { salt, hash, ...cost } = kept ?? NO_ACCOUNT;
  const expected = Buffer.from(hash, 'base64url');
  const actual = await compute(password, Buffer.from(salt, 'base64url'), cost);
  return expected.length === actual.length && timingSafeEqual(expected, actual) && kept !== undefined;
}
