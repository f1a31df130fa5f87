import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountState as TemporaryState } from '#tests/builders/createTemporaryAccounts.ts';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { systemClock } from '../base/clock.ts';
import { createCreationQueue } from './accounts/createUser.ts';
import { HOST_TOOLS } from './accounts/runTool.ts';
import { type Authenticator, createPamAuthenticator } from './pam/pamAuthenticator.ts';
import { checkPam } from './pam/pamBinding.ts';

const PASSWORD = 'correct: horse:battery';

const entryOf = (database: string, name: string) => {
  const { stdout } = spawnSync('getent', ['-s', 'files', database, name], { encoding: 'utf8' });
  return stdout === '' ? undefined : stdout.trimEnd().split(':');
};

/** The mode of a new home, from login.defs. */
function homeMode(): number {
  const settings = readFileSync('/etc/login.defs', 'utf8');
  const of = (name: string) => new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(settings)?.[1];
  const mode = of('HOME_MODE');
  return mode === undefined ? 0o777 & ~Number.parseInt(of('UMASK') ?? '022', 8) : Number.parseInt(mode, 8);
}

const accepted = { kind: 'accepted' };
const refused = (reason: string) => ({ kind: 'refused', reason });

const STATES: readonly (readonly [TemporaryState, string])[] = [
  ['blank', 'credentials'],
  ['locked', 'credentials'],
  ['system', 'credentials'],
  ['expired', 'expired'],
  ['must-change', 'must-change'],
];

/** The host's own record of failures, which must not change. */
const HOST_TALLIES = '/run/faillock';
const hostTallies = () => (existsSync(HOST_TALLIES) ? readdirSync(HOST_TALLIES) : []);

// Only root can create accounts; `pamAuthenticator.test.ts` uses libpam-wrapper, `createAccount.test.ts` replaced tools.
describe.runIf(isRoot)('real accounts through the shipped PAM file', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  const hostTalliesBefore = hostTallies();
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

  test('spec §3.4 row 1, §4.3 row 1, row 4, contract §8 PAM service: all parts are in place; a created user has a group and a home of its own and no shell, signs in with exactly its password, and is locked after five failures, for this service only', async () => {
    expect(checkPam(shipped.service)).toBeUndefined();
    const name = accounts.name();
    const queue = createCreationQueue({
      tools: HOST_TOOLS,
      clock: systemClock,
      limitMs: 60_000,
      rollBackMs: 60_000,
    });
    expect(await queue.create({ name, password: PASSWORD })).toEqual({ kind: 'created' });
    const [, , uid, gid, , home = '', shell] = entryOf('passwd', name) ?? [];
    expect({ home, shell }).toEqual({ home: join('/home', name), shell: '/usr/sbin/nologin' });
    expect(entryOf('group', name)?.slice(2)).toEqual([gid, '']);
    const { mode, uid: owner, gid: ownerGroup } = statSync(home);
    expect([mode & 0o7777, owner, ownerGroup]).toEqual([homeMode(), Number(uid), Number(gid)]);
    expect(readdirSync(home).sort()).toEqual(readdirSync('/etc/skel').sort());

    const right = { username: name, password: PASSWORD };
    expect(await pam.authenticate(right)).toEqual(accepted);
    for (const password of ['correct', '', `${PASSWORD} `, 'x', 'y'])
      expect(await pam.authenticate({ username: name, password })).toMatchObject(refused('credentials'));
    expect(await pam.authenticate(right)).toMatchObject(refused('locked'));
    expect(readdirSync(shipped.tallies)).toContain(name);
    expect(hostTallies()).toEqual(hostTalliesBefore);
  });

  test('spec §5 item 2: refuses unknown names, root, and accounts that cannot be used', async () => {
    for (const username of [accounts.name(), 'root'])
      expect(await pam.authenticate({ username, password: 'wrong' })).toMatchObject(refused('credentials'));
    expect(readdirSync(shipped.tallies)).not.toContain('root');
    for (const [state, reason] of STATES)
      expect(await pam.authenticate(accounts.create({ state }))).toMatchObject(refused(reason));
  });
});

test('the shipped PAM file turns off the signal handling and the delay of pam_unix', () => {
  const text = readFileSync(new URL('../pam.d/hostauth', import.meta.url), 'utf8');
  expect(text.match(/^auth .*pam_unix.*$/gm)).toEqual([expect.stringMatching(/ nodelay noreap$/)]);
  const counting = text.match(/^auth .*pam_faillock.*$/gm);
  expect(counting).toHaveLength(3);
  expect(counting?.every((line) => line.endsWith(' nodelay'))).toBe(true);
});
