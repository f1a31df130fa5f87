import { afterAll } from 'vitest';
import { createTemporaryAccounts, createTemporaryPamService } from './createTemporaryAccounts.ts';

/** Whether this process can create accounts; otherwise tests can use only the stand-in for PAM. */
export const isRoot = process.getuid?.() === 0;

/** Provides temporary accounts for a test file or a `describe` that only root runs; removes them after it and when the process exits. */
export function withHostAccounts() {
  const accounts = createTemporaryAccounts();
  afterAll(accounts.removeAll);
  return accounts;
}

/** Provides the shipped PAM service, and its folder of failures, like `withHostAccounts`. */
export function withPamService() {
  if (!isRoot) return { service: '', tallies: '' };
  const made = createTemporaryPamService();
  afterAll(made.remove);
  return made;
}
