import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import type { AccountState } from '#tests/builders/createTemporaryAccounts.ts';
import type { Credentials } from '../../link/helperProtocol.ts';
import { checkPam } from './pamBinding.ts';
import { type Authenticator, createPamAuthenticator } from './pamAuthenticator.ts';

const accepted = { kind: 'accepted' };
const refused = (reason: string) => ({ kind: 'refused', reason });
const wrong = ({ username }: Pick<Credentials, 'username'>) => ({ username, password: 'not the password' });

/** The host's own record of failures, which must not change. */
const HOST_TALLIES = '/run/faillock';
const hostTallies = () => (existsSync(HOST_TALLIES) ? readdirSync(HOST_TALLIES) : []);

// Only root can create accounts; `pamAuthenticator.test.ts` uses libpam-wrapper.
describe.runIf(isRoot)('real accounts through the shipped PAM file', { timeout: 60_000 }, () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  const hostTalliesBefore = hostTallies();
  let pam: Authenticator;

  beforeAll(() => {
    pam = createPamAuthenticator({
      service: shipped.service,
      childPath: hostauthProgram('pamChild'),
      timeoutMs: 60_000,
      refusalStepMs: 1,
    });
  });
  afterAll(() => pam.close());

  const fail = async (account: Credentials, times: number) => {
    for (let i = 0; i < times; i++) {
      expect(await pam.authenticate(wrong(account))).toMatchObject(refused('credentials'));
    }
  };

  test('contract §8 PAM service: has all parts in place', () => {
    expect(checkPam(shipped.service)).toBeUndefined();
  });

  test('spec §3.4 row 1, §4.3 row 1, §5 item 2: accepts the password of a usable account and refuses another', async () => {
    const account = accounts.create();
    expect(await pam.authenticate(account)).toEqual(accepted);
    expect(await pam.authenticate(wrong(account))).toMatchObject(refused('credentials'));
  });

  test.each([
    ['blank', 'credentials'],
    ['locked', 'credentials'],
    ['system', 'credentials'],
    ['expired', 'expired'],
    ['must-change', 'must-change'],
  ] satisfies [AccountState, string][])('refuses an account that is %s as %s', async (state, reason) => {
    const account = accounts.create({ state });
    expect(await pam.authenticate(account)).toMatchObject(refused(reason));
    expect(await pam.authenticate(wrong(account))).toMatchObject(refused('credentials'));
  });

  test('refuses an unknown name', async () => {
    expect(await pam.authenticate(wrong({ username: accounts.name() }))).toMatchObject(
      refused('credentials'),
    );
  });

  test('refuses root before its password is checked, and counts no failure', async () => {
    expect(await pam.authenticate(wrong({ username: 'root' }))).toMatchObject(refused('credentials'));
    expect(readdirSync(shipped.tallies)).not.toContain('root');
  });

  test('accepts a password of 126 bytes; one of 127 or 128 bytes does not reach PAM, even if it is right', async () => {
    const longest = 'é'.repeat(63);
    const account = accounts.create({ password: longest });
    expect(await pam.authenticate(account)).toEqual(accepted);
    for (const more of ['x', 'xy']) {
      expect(await pam.authenticate({ ...account, password: longest + more })).toEqual(refused('input'));
      const longer = accounts.create({ password: longest + more });
      expect(await pam.authenticate(longer)).toEqual(refused('input'));
    }
  });

  test('does not pass a right password to PAM when text follows a NUL or a line end', async () => {
    const account = accounts.create();
    for (const more of ['\0', '\0x', '\n', '\r\n', '\uD800']) {
      expect(await pam.authenticate({ ...account, password: account.password + more })).toEqual(
        refused('input'),
      );
    }
  });

  test('locks the account after five failures, also for the right password, for this service only', async () => {
    const account = accounts.create();
    await fail(account, 4);
    expect(await pam.authenticate(account)).toEqual(accepted);
    await fail(account, 5);
    expect(await pam.authenticate(account)).toMatchObject(refused('credentials'));
    expect(readdirSync(shipped.tallies)).toContain(account.username);
    expect(hostTallies()).toEqual(hostTalliesBefore);
  });

  test('never locks an account by repeated rounds of four failures and a success', async () => {
    const account = accounts.create();
    for (let round = 0; round < 3; round++) {
      await fail(account, 4);
      expect(await pam.authenticate(account)).toEqual(accepted);
    }
  });

  test('turns off the signal handling and the delay of pam_unix', () => {
    const text = readFileSync(new URL('../../pam.d/hostauth', import.meta.url), 'utf8');
    expect(text.match(/^auth .*pam_unix.*$/gm)).toEqual([expect.stringMatching(/ nodelay noreap$/)]);
    const counting = text.match(/^auth .*pam_faillock.*$/gm);
    expect(counting).toHaveLength(3);
    expect(counting?.every((line) => line.endsWith(' silent nodelay'))).toBe(true);
  });
});
