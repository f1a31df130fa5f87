import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { createPamAuthenticator } from './pamAuthenticator.ts';

describe.runIf(isRoot)('a real account through the shipped PAM file', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();

  test('answers 50 sign-ins at once, and child processes are still reaped', async ({ onTestFinished }) => {
    const pam = createPamAuthenticator({
      service: shipped.service,
      childPath: hostauthProgram('pamChild'),
      timeoutMs: 60_000,
      refusalStepMs: 1,
    });
    onTestFinished(() => pam.close());
    const account = accounts.create();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => pam.authenticate(account)));
    expect(outcomes).toEqual(Array.from({ length: 50 }, () => ({ kind: 'accepted' })));
    const exits = Array.from({ length: 20 }, () => once(spawn('/bin/true'), 'exit'));
    expect(await Promise.all(exits)).toEqual(Array.from({ length: 20 }, () => [0, null]));
  });
});
