import { afterAll } from 'vitest';
import { type TemporaryAccounts, createTemporaryAccounts } from './createTemporaryAccounts.ts';
import { type TemporaryPamService, createTemporaryPamService } from './createTemporaryPamService.ts';

/** Whether this process can create accounts; otherwise tests can use only the stand-in for PAM. */
export const isRoot = process.getuid?.() === 0;

/** Provides temporary accounts for a test file or a `describe`; removes them after it and when the process exits. */
export function withHostAccounts(): TemporaryAccounts {
  let made: TemporaryAccounts | undefined;
  const accounts = () => (made ??= createTemporaryAccounts());
  afterAll(() => made?.removeAll());
  return {
    name: () => accounts().name(),
    create: (options) => accounts().create(options),
    createGroup: () => accounts().createGroup(),
    removeAll: () => accounts().removeAll(),
  };
}

/**
 * Provides a PAM service for a test file or a `describe`: the shipped file, or `text`. Creates it on first use and
 * removes it afterwards.
 */
export function withPamService(text?: string): Omit<TemporaryPamService, 'remove'> {
  let made: TemporaryPamService | undefined;
  const service = () => (made ??= createTemporaryPamService(text));
  afterAll(() => made?.remove());
  return {
    get service() {
      return service().service;
    },
    get tallies() {
      return service().tallies;
    },
  };
}
