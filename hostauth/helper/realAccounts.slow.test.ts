import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdPasswordLock } from '#tests/builders/holdPasswordLock.ts';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { systemClock } from '../base/clock.ts';
import { readConfig } from '../base/config.ts';
import { createCreationQueue } from './accounts/createUser.ts';
import { HOST_TOOLS, type HostTools } from './accounts/runTool.ts';
import { createHostHelper } from './helper.ts';
import { type Authenticator, createPamAuthenticator } from './pam/pamAuthenticator.ts';
import type { Helper } from '../link/helperProtocol.ts';
import { ACCOUNT_CHANGES, runTool, uidOf } from '../testing/accountChanges.ts';

const PASSWORD = 'correct: horse:battery';

// Only root can create accounts; `accountCheck.test.ts` checks the same with fixture files.
describe.runIf(isRoot)('a real account that has signed in', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  let helper: Helper;
  let group = '';

  beforeAll(() => {
    group = accounts.createGroup();
    helper = createHostHelper({
      config: readConfig({ HOSTAUTH_PAM_SERVICE: shipped.service, HOSTAUTH_ADMIN_GROUP: group }),
      key: randomBytes(32),
      log: () => undefined,
      pam: { childPath: hostauthProgram('pamChild') },
      tools: HOST_TOOLS,
    });
  });
  afterAll(() => helper.close());

  /** An administrator who has signed in. */
  async function signIn() {
    const account = accounts.create({ groups: [group] });
    const outcome = await helper.authenticate(account);
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    return { account, proof: outcome.account };
  }

  test('each change of an account ends its session with its reason, and it creates no user any more; without its group it creates none either', async () => {
    for (const [, reason, change] of ACCOUNT_CHANGES) {
      const { account, proof } = await signIn();
      expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
      expect(await helper.isAdministrator(proof)).toEqual({ state: 'administrator' });
      change(account);
      const ended = { state: 'ended', reason };
      expect(await helper.checkAccount(proof)).toEqual(ended);
      expect(await helper.isAdministrator(proof)).toEqual(ended);
      const username = accounts.name();
      const creation = await helper.createUser({ account: proof, username, password: PASSWORD });
      expect(creation).toEqual({ kind: 'ended', reason });
      expect(uidOf(username)).toBe('');
    }
    const { account, proof } = await signIn();
    runTool(['gpasswd', '--delete', account.username, group]);
    expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
    const creation = helper.createUser({ account: proof, username: accounts.name(), password: PASSWORD });
    expect(await creation).toEqual({ kind: 'refused', reason: 'not-administrator' });
  });
});

const create = (
  name: string,
  { tools = {}, limitMs = 60_000, password = PASSWORD }: Partial<Settings> = {},
) =>
  createCreationQueue({
    tools: { ...HOST_TOOLS, ...tools },
    clock: systemClock,
    limitMs,
    rollBackMs: 60_000,
  }).create({ name, password });

interface Settings {
  readonly tools: Partial<HostTools>;
  readonly limitMs: number;
  readonly password: string;
}

const shadowOf = (name: string) =>
  spawnSync('getent', ['-s', 'files', 'shadow', name], { encoding: 'utf8' }).stdout.split(':')[1];

// `createAccount.test.ts` checks the same with replaced tools.
describe.runIf(isRoot)('users created by the real tools', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  let pam: Authenticator;

  beforeAll(() => {
    const childPath = hostauthProgram('pamChild');
    pam = createPamAuthenticator({
      service: shipped.service,
      childPath,
      timeoutMs: 60_000,
      refusalStepMs: 1,
    });
  });
  afterAll(() => pam.close());

  test('sign in with passwords of 511 bytes, of the marks of a shell and of spaces', async () => {
    for (const password of [`x${'é'.repeat(255)}`, "'; $(id) `id` \\", ' spaces ']) {
      const username = accounts.name();
      expect(await create(username, { password })).toEqual({ kind: 'created' });
      expect(await pam.authenticate({ username, password })).toEqual({ kind: 'accepted' });
    }
  });

  test('cannot sign in when chpasswd and userdel fail, which is reported', async () => {
    const name = accounts.name();
    const creation = await create(name, { tools: { chpasswd: '/bin/false', userdel: '/bin/false' } });
    expect(creation).toMatchObject({ kind: 'failed', rolledBack: 'left' });
    expect(shadowOf(name)).toBe('!');
    for (const password of [PASSWORD, '', '!'])
      expect(await pam.authenticate({ username: name, password })).toMatchObject({ kind: 'refused' });
  });

  test('are not created with the name of a group, nor while the account files are locked: busy at the limit, and nothing is left', async () => {
    expect(await create(accounts.createGroup())).toEqual({ kind: 'taken', by: 'group' });
    const name = accounts.name();
    const lock = await holdPasswordLock();
    const creation = await create(name, { limitMs: 1000 });
    await lock.release();
    expect(creation).toMatchObject({ kind: 'failed', fault: 'busy', rolledBack: 'nothing' });
    expect([uidOf(name), existsSync(join('/home', name))]).toEqual(['', false]);
    // What a stopped useradd leaves does not block the next one.
    expect(await create(name)).toEqual({ kind: 'created' });
  });
});
