import { afterAll } from 'vitest';
import { type TemporaryAccounts, createTemporaryAccounts } from './createTemporaryAccounts.ts';
import { createTemporaryPamService } from './createTemporaryAccounts.ts';

/** Whether this process can create accounts; otherwise tests can use only the stand-in for PAM. */
export const isRoot = process.getuid?.() === 0;

/** Returns a function that creates a thing on first use, for a test file or a `describe`. */
function onFirstUse<T>(make: () => T, remove: (made: T) => void): () => T {
  let made: T | undefined;
  afterAll(() => made && remove(made));
  return () => (made ??= make());
}

/** Provides temporary accounts for a test file or a `describe`; removes them after it and when the process exits. */
export function withHostAccounts(): Omit<TemporaryAccounts, 'removeAll'> {
  const accounts = onFirstUse(createTemporaryAccounts, (made) => made.removeAll());
  return {
    name: () => accounts().name(),
    create: (options) => accounts().create(options),
    createGroup: () => accounts().createGroup(),
  };
}

/** Provides the shipped PAM service for a test file or a `describe`: creates it on first use, and removes it afterwards. */
export function withPamService(): Omit<ReturnType<typeof createTemporaryPamService>, 'remove'> {
  const service = onFirstUse(createTemporaryPamService, (made) => made.remove());
  return {
    get service() {
      return service().service;
    },
    get tallies() {
      return service().tallies;
    },
  };
}
