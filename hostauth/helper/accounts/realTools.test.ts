import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdPasswordLock } from '#tests/builders/holdPasswordLock.ts';
import { hostauthProgram } from '#tests/builders/hostauthProgram.ts';
import { standInTools } from '#tests/builders/standInTools.ts';
import { isRoot, withHostAccounts, withPamService } from '#tests/builders/withHostAccounts.ts';
import { systemClock } from '../../base/clock.ts';
import { type Authenticator, createPamAuthenticator } from '../pam/pamAuthenticator.ts';
import { createCreationQueue } from './createUser.ts';
import { HOST_TOOLS, type HostTools } from './runTool.ts';

const PASSWORD = 'correct: horse:battery';

const entryOf = (database: string, name: string) => {
  const { stdout } = spawnSync('getent', ['-s', 'files', database, name], { encoding: 'utf8' });
  return stdout === '' ? undefined : stdout.trimEnd().split(':');
};
const homeOf = (name: string) => join('/home', name);
const traces = (name: string) => ({
  entries: ['passwd', 'group', 'shadow', 'gshadow'].filter((file) => entryOf(file, name) !== undefined),
  home: existsSync(homeOf(name)),
});
const NONE = { entries: [], home: false };

const hostAccounts = (tools: Partial<HostTools> = {}, limitMs = 60_000) =>
  createCreationQueue({
    tools: { ...HOST_TOOLS, ...tools },
    clock: systemClock,
    limitMs,
    rollBackMs: 60_000,
  });

/** The mode of a new home, from login.defs. */
function homeMode(): number {
  const settings = readFileSync('/etc/login.defs', 'utf8');
  const of = (name: string) => new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(settings)?.[1];
  const mode = of('HOME_MODE');
  return mode === undefined ? 0o777 & ~Number.parseInt(of('UMASK') ?? '022', 8) : Number.parseInt(mode, 8);
}

/** The users that existed before, and the modes of the account files. */
const hostNow = () => ({
  users: readFileSync('/etc/shadow', 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('parley-t-')),
  modes: ['passwd', 'shadow', 'group', 'gshadow'].map((file) =>
    statSync(join('/etc', file)).mode.toString(8),
  ),
});

// Only root can create accounts; the other tests of this folder replace the tools.
describe.runIf(isRoot)('users created by the real tools', () => {
  const accounts = withHostAccounts();
  const shipped = withPamService();
  const before = isRoot ? hostNow() : undefined;
  let pam: Authenticator;

  beforeAll(() => {
    const childPath = hostauthProgram('pamChild');
    pam = createPamAuthenticator({ service: shipped.service, childPath, timeoutMs: 60_000 });
  });
  afterAll(() => pam.close());

  it('spec §4.3 row 4: have a group and a home of their own and no shell', async () => {
    const name = accounts.name();
    expect(await hostAccounts().create({ name, password: PASSWORD })).toEqual({ kind: 'created' });
    const [, , uid, gid, , home, shell] = entryOf('passwd', name) ?? [];
    expect({ home, shell }).toEqual({ home: homeOf(name), shell: '/usr/sbin/nologin' });
    expect(Number(uid)).toBeGreaterThanOrEqual(1000);
    expect(entryOf('group', name)?.slice(2)).toEqual([gid, '']);
    expect(entryOf('shadow', name)?.[1]).toMatch(/^\$/);
    const { mode, uid: owner, gid: group } = statSync(homeOf(name));
    expect((mode & 0o7777).toString(8)).toBe(homeMode().toString(8));
    expect([owner, group]).toEqual([Number(uid), Number(gid)]);
    expect(readdirSync(homeOf(name)).sort()).toEqual(readdirSync('/etc/skel').sort());
  });

  it('spec §4.3 row 4: sign in through PAM with exactly their password, and get no shell', async () => {
    const name = accounts.name();
    await hostAccounts().create({ name, password: PASSWORD });
    expect(await pam.authenticate({ username: name, password: PASSWORD })).toEqual({ kind: 'accepted' });
    expect(await pam.authenticate({ username: name, password: 'correct' })).toMatchObject({
      kind: 'refused',
    });
    const shell = spawnSync('su', [name, '-c', 'echo in'], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin' },
    });
    expect({ status: shell.status, out: shell.stdout }).toEqual({
      status: 1,
      out: expect.not.stringContaining('in\n') as unknown,
    });
  });

  it.each(['é'.repeat(63), "'; $(id) `id` \\", ' spaces ', ':'])(
    'sign in with the password %j',
    async (password) => {
      const name = accounts.name();
      expect(await hostAccounts().create({ name, password })).toEqual({ kind: 'created' });
      expect(await pam.authenticate({ username: name, password })).toEqual({ kind: 'accepted' });
    },
  );

  it('are created once when five requests have one name', async () => {
    const name = accounts.name();
    const made = hostAccounts();
    const creations = await Promise.all(
      Array.from({ length: 5 }, () => made.create({ name, password: PASSWORD })),
    );
    expect(creations.map(({ kind }) => kind).sort()).toEqual(['created', ...Array<string>(4).fill('taken')]);
  });

  it('cannot have the name of a group, also when the group is created just before useradd', async () => {
    const name = accounts.createGroup();
    expect(await hostAccounts().create({ name, password: PASSWORD })).toEqual({ kind: 'taken', by: 'group' });
    const { getent, replace } = standInTools();
    replace('getent', 'exit 2');
    const blind = hostAccounts({ getent });
    expect(await blind.create({ name, password: PASSWORD })).toEqual({ kind: 'taken', by: 'useradd' });
    expect(traces(name)).toEqual({ entries: ['group', 'gshadow'], home: false });
  });

  it('are removed when chpasswd fails', async () => {
    const name = accounts.name();
    const creation = await hostAccounts({ chpasswd: '/bin/false' }).create({ name, password: PASSWORD });
    expect(creation).toMatchObject({ kind: 'failed', fault: 'failed', rolledBack: 'removed' });
    expect(traces(name)).toEqual(NONE);
  });

  it('cannot sign in when chpasswd and userdel fail, which is reported', async () => {
    const name = accounts.name();
    const creation = await hostAccounts({ chpasswd: '/bin/false', userdel: '/bin/false' }).create({
      name,
      password: PASSWORD,
    });
    expect(creation).toMatchObject({ kind: 'failed', rolledBack: 'left' });
    expect(entryOf('shadow', name)?.[1]).toBe('!');
    for (const password of [PASSWORD, '', '!']) {
      expect(await pam.authenticate({ username: name, password })).toMatchObject({ kind: 'refused' });
    }
  });

  it('are not created while the account files are locked: busy at the limit, and nothing is left', async () => {
    const name = accounts.name();
    const lock = await holdPasswordLock();
    const creation = await hostAccounts({}, 1000).create({ name, password: PASSWORD });
    await lock.release();
    expect(creation).toMatchObject({ kind: 'failed', fault: 'busy', rolledBack: 'nothing' });
    expect(traces(name)).toEqual(NONE);
    // What a stopped useradd leaves does not block the next one.
    expect(await hostAccounts().create({ name, password: PASSWORD })).toEqual({ kind: 'created' });
  });

  it('leave the host’s other users and the modes of its files unchanged', () => {
    expect(hostNow()).toEqual(before);
  });
});
