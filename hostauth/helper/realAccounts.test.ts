import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { readConfig } from '../base/config.ts';
import { ACCOUNT_CHANGES, runTool, uidOf } from '../testing/accountChanges.ts';
import { HOST_TOOLS, type HostTools } from './accounts/runTool.ts';
import type { Helper } from '../link/helperProtocol.ts';
import { createHostHelper } from './helper.ts';

// Only root can create accounts; `accountCheck.test.ts` checks the same with fixture files.
describe.runIf(isRoot)('a real account that has signed in', { timeout: 60_000 }, () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  let helper: Helper;
  let group = '';

  beforeAll(() => {
    group = accounts.createGroup();
    helper = createHelperWith(HOST_TOOLS);
  });
  afterAll(() => helper.close());

  const createHelperWith = (tools: HostTools): Helper =>
    createHostHelper({
      config: readConfig({ HOSTAUTH_PAM_SERVICE: shipped.service, HOSTAUTH_ADMIN_GROUP: group }),
      key: randomBytes(32),
      log: () => undefined,
      pam: { childPath: hostauthProgram('pamChild') },
      tools,
    });

  /** An administrator who has signed in. */
  async function signIn() {
    const account = accounts.create({ groups: [group] });
    const outcome = await helper.authenticate(account);
    if (outcome.kind !== 'accepted') throw new Error(outcome.kind);
    return { account, proof: outcome.account };
  }

  test.each(ACCOUNT_CHANGES)(
    'contract §8 a session ends with its account: %s ends it as %s, and it creates no user any more',
    async (_what, reason, change) => {
      const { account, proof } = await signIn();
      expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
      expect(await helper.isAdministrator(proof)).toEqual({ state: 'administrator' });
      change(account);
      const ended = { state: 'ended', reason };
      expect(await helper.checkAccount(proof)).toEqual(ended);
      expect(await helper.isAdministrator(proof)).toEqual(ended);
      const username = accounts.name();
      expect(await helper.createUser({ account: proof, username, password: 'pass word' })).toEqual({
        kind: 'ended',
        reason,
      });
      expect(uidOf(username)).toBe('');
    },
  );

  test('is the same account, but no administrator, when it has left the group', async () => {
    const { account, proof } = await signIn();
    runTool(['gpasswd', '--delete', account.username, group]);
    expect(await helper.checkAccount(proof)).toEqual({ state: 'same' });
    const username = accounts.name();
    expect(await helper.createUser({ account: proof, username, password: 'pass word' })).toEqual({
      kind: 'refused',
      reason: 'not-administrator',
    });
  });

  test('creates no user for an administrator who leaves the group while the creation waits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostauth-turn-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const useradd = join(folder, 'useradd');
    const script = `touch '${folder}/begins'; while [ ! -e '${folder}/open' ]; do sleep 0.02; done`;
    writeFileSync(useradd, `#!/bin/sh\n${script}\nexec ${HOST_TOOLS.useradd} "$@"\n`, { mode: 0o755 });
    const slow = createHelperWith({ ...HOST_TOOLS, useradd });
    onTestFinished(() => slow.close());
    const account = accounts.create({ groups: [group] });
    const outcome = await slow.authenticate(account);
    const proof = outcome.kind === 'accepted' ? outcome.account : outcome.kind;
    const [first, second] = [accounts.name(), accounts.name()];
    const create = (username: string) => slow.createUser({ account: proof, username, password: 'pass word' });
    const creations = [create(first)];
    await vi.waitFor(() => expect(existsSync(join(folder, 'begins'))).toBe(true), POLLING);
    creations.push(create(second));
    expect(await slow.isAdministrator(proof)).toEqual({ state: 'administrator' });
    runTool(['gpasswd', '--delete', account.username, group]);
    writeFileSync(join(folder, 'open'), '');
    expect(await Promise.all(creations)).toEqual([
      { kind: 'created' },
      { kind: 'refused', reason: 'not-administrator' },
    ]);
    expect(uidOf(second)).toBe('');
  });

  test('refuses input that the HTTP process should have refused', async () => {
    const { proof } = await signIn();
    const username = accounts.name();
    const password = 'pass word';
    const create = (fields: object) => helper.createUser({ account: proof, username, password, ...fields });
    expect(await create({ account: null })).toEqual({ kind: 'refused', reason: 'not-administrator' });
    expect(await create({ account: '' })).toEqual({ kind: 'ended', reason: 'proof' });
    for (const name of ['../etc', '-o', 'a b', `${username}\n`, '']) {
      expect(await create({ username: name })).toEqual({ kind: 'refused', reason: 'unusable' });
    }
    expect(await create({ username: 'sudo' })).toEqual({ kind: 'refused', reason: 'reserved' });
    expect(await create({ username: group })).toEqual({ kind: 'refused', reason: 'reserved' });
    for (const text of ['', 'x\nroot:x', 'p'.repeat(127), '\0']) {
      expect(await create({ password: text })).toEqual({ kind: 'refused', reason: 'password' });
    }
    expect(await helper.authenticate({ username, password: 'p'.repeat(127) })).toEqual({
      kind: 'refused',
      reason: 'input',
    });
    expect(uidOf(username)).toBe('');
  });
});
