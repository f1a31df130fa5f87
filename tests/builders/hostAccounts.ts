import { afterAll } from 'vitest';
import { type TemporaryAccounts, createTemporaryAccounts } from './temporaryAccounts.ts';
import { type TemporaryPamService, createTemporaryPamService } from './temporaryPamService.ts';

/** Whether this process may make accounts; otherwise only PAM's stand-in can be asked. */
export const isRoot = process.getuid?.() === 0;

/** Temporary accounts for a test file or a `describe`: gone after it, and when the process exits. */
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
 * The shipped PAM file under a name for tests, or another text: put in place when first asked for, gone after the test
 * file or `describe`.
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
