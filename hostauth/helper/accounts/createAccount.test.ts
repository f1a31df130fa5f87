import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type StandInTools, standInTools } from '#tests/builders/standInTools.ts';
import { stopLimits } from '../../testing/processState.ts';
import { createAccount } from './createAccount.ts';

/** A clock on which no time passes: a limit is the same for each tool. */
const LIMIT_MS = 60_000;
const STOPPED = { monotonic: () => 0 };
const PASSWORD = 'correct: horse:battery';

const create = (tools: StandInTools) =>
  createAccount(
    { name: 'ada', password: PASSWORD },
    { tools, clock: STOPPED, limitMs: LIMIT_MS, rollBackMs: LIMIT_MS },
  );

/** Returns what is left of the user: entries in the files, and the home. */
const left = (tools: StandInTools) => ({
  entries: ['passwd', 'shadow', 'group'].filter((file) => /^ada:/m.test(tools.read(file))),
  home: existsSync(join(tools.folder, 'home', 'ada')),
});
const NOTHING = { entries: [], home: false };
const ALL = { entries: ['passwd', 'shadow', 'group'], home: true };

const used = (tools: StandInTools) => tools.calls().map(({ tool }) => tool);

describe('createAccount', () => {
  it('spec §4.3 row 4: runs exactly useradd, then chpasswd with one line of input', async () => {
    const tools = standInTools();
    expect(await create(tools)).toEqual({ kind: 'created' });
    expect(tools.calls().map(({ tool, commandLine, input }) => [tool, commandLine, input])).toEqual([
      ['useradd', `/bin/sh ${tools.useradd} --create-home --user-group --shell /usr/sbin/nologin -- ada`, ''],
      ['chpasswd', `/bin/sh ${tools.chpasswd}`, `ada:${PASSWORD}\n`],
    ]);
  });

  it('passes the password in no argument and no environment', async () => {
    const tools = standInTools();
    tools.replace('chpasswd', 'exit 1');
    await create(tools);
    expect(used(tools)).toEqual(['useradd', 'chpasswd', 'userdel']);
    for (const { commandLine, environment } of tools.calls()) {
      expect(commandLine + environment).not.toContain('horse');
    }
  });
});

describe('createAccount for a taken name', () => {
  it.each([
    ['user', 'passwd', 'ada:x:1001:1001::/home/ada:/bin/bash'],
    ['group', 'group', 'ada:x:1001:'],
  ] as const)('refuses the name of a %s before any tool changes anything', async (by, file, line) => {
    const tools = standInTools();
    tools.add(file, line);
    expect(await create(tools)).toEqual({ kind: 'taken', by });
    expect(tools.calls()).toEqual([]);
  });

  it('refuses a name whose old home still exists: its files would become the new user’s', async () => {
    const tools = standInTools();
    mkdirSync(join(tools.folder, 'home', 'ada'));
    expect(await create(tools)).toEqual({ kind: 'taken', by: 'home' });
    expect(left(tools)).toEqual({ entries: [], home: true });
  });

  it('refuses a name that is taken just before useradd, and leaves that user alone', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'echo "$N:x:1001:1001::/home/ada:/bin/bash" >> "$D/passwd"; exit 9');
    expect(await create(tools)).toEqual({ kind: 'taken', by: 'useradd' });
    expect(used(tools)).toEqual(['useradd']);
    expect(left(tools).entries).toEqual(['passwd']);
  });

  it('reports busy and starts no tool when the name service fails', async () => {
    const tools = standInTools();
    tools.replace('getent', 'exit 3');
    expect(await create(tools)).toMatchObject({ kind: 'failed', fault: 'busy', rolledBack: 'nothing' });
    expect(tools.calls()).toEqual([]);
  });
});

const HANGS = 'touch "$D/hangs"; exec sleep 60';

/** Creates an account; when a tool hangs, lets the limit pass. */
async function createUntilLimit(tools: StandInTools) {
  const pass = stopLimits();
  let hasEnded = false;
  const creation = create(tools).finally(() => (hasEnded = true));
  await pass(() => hasEnded || existsSync(join(tools.folder, 'hangs')), LIMIT_MS);
  return creation;
}

describe('createAccount when useradd fails', () => {
  it('reports busy when the account files are locked, and leaves a user that the lock holder created', async () => {
    const tools = standInTools();
    tools.replace(
      'useradd',
      `echo "$N:x:1:1::/home/ada:/usr/sbin/nologin" >> "$D/passwd"
      echo 'useradd: cannot lock /etc/passwd; try again later.' >&2; exit 1`,
    );
    expect(await create(tools)).toEqual({
      kind: 'failed',
      fault: 'busy',
      detail: 'useradd: exit code 1 useradd: cannot lock /etc/passwd; try again later.',
      rolledBack: 'nothing',
    });
    expect(left(tools).entries).toEqual(['passwd']);
  });

  it('rolls nothing back when useradd has created nothing', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'echo "useradd: no space left" >&2; exit 1');
    expect(await create(tools)).toMatchObject({ kind: 'failed', fault: 'failed', rolledBack: 'nothing' });
    expect(used(tools)).toEqual(['useradd']);
  });

  it.each([
    ['failing without a home', 'rmdir "$D/home/$N"; exit 12', 'failed'],
    ['hanging with all made', HANGS, 'busy'],
  ])('rolls back a useradd that is %s', async (_, script, fault) => {
    const tools = standInTools();
    const made = ['passwd:x:2001:2001::/:/usr/sbin/nologin', 'shadow:!:1::::::', 'group:x:2001:'];
    const lines = made.map((line) => {
      const [file = '', ...rest] = line.split(':');
      return `echo "$N:${rest.join(':')}" >> "$D/${file}"`;
    });
    tools.replace('useradd', [...lines, 'mkdir "$D/home/$N"', script].join('\n'));
    expect(await createUntilLimit(tools)).toMatchObject({
      kind: 'failed',
      fault,
      rolledBack: 'removed',
    });
  });

  it('does not remove a user with a shell, whom another program created while useradd hung', async () => {
    const tools = standInTools();
    tools.replace('useradd', `echo "$N:x:1:1::/home/ada:/bin/bash" >> "$D/passwd"; ${HANGS}`);
    expect(await createUntilLimit(tools)).toMatchObject({ fault: 'busy', rolledBack: 'left' });
    expect(used(tools)).toEqual(['useradd']);
  });

  it('does not remove a user with a password, whom another program created while useradd hung', async () => {
    const tools = standInTools();
    tools.replace(
      'useradd',
      `echo "$N:x:1:1::/home/ada:/usr/sbin/nologin" >> "$D/passwd"; echo "$N:\\$y\\$hash:1::::::" >> "$D/shadow"
      ${HANGS}`,
    );
    expect(await createUntilLimit(tools)).toMatchObject({ fault: 'busy', rolledBack: 'left' });
    expect(used(tools)).toEqual(['useradd']);
  });
});

describe('createAccount when chpasswd fails', () => {
  it.each([
    ['failing', 'exit 1', 'failed'],
    ['finding the lock held', 'echo "Authentication token lock busy" >&2; exit 1', 'busy'],
    ['refusing the password by the host’s rules', 'echo "BAD PASSWORD: too simple" >&2; exit 1', 'password'],
    ['hanging', HANGS, 'busy'],
  ])('removes the user, its group and home when chpasswd is %s', async (_, script, fault) => {
    const tools = standInTools();
    tools.replace('chpasswd', script);
    expect(await createUntilLimit(tools)).toMatchObject({
      kind: 'failed',
      fault,
      rolledBack: 'removed',
    });
    expect(used(tools)).toEqual(['useradd', 'chpasswd', 'userdel']);
    expect(left(tools)).toEqual(NOTHING);
  });

  it('creates the user when chpasswd only warns about the password', async () => {
    const tools = standInTools();
    tools.replace('chpasswd', 'echo "BAD PASSWORD: too simple" >&2');
    expect(await create(tools)).toEqual({ kind: 'created' });
  });

  it('does not report the output of chpasswd, which may repeat the password', async () => {
    const tools = standInTools();
    tools.replace('chpasswd', `echo "no: ${PASSWORD}" >&2; exit 1`);
    expect(JSON.stringify(await create(tools))).not.toContain('horse');
  });
});

/** Tools with a chpasswd that fails and the given userdel. */
function failing(script: string): StandInTools {
  const tools = standInTools();
  tools.replace('chpasswd', 'exit 1');
  tools.replace('userdel', script);
  return tools;
}

describe('rolling back', () => {
  it('removes a group that userdel has kept', async () => {
    const tools = failing(
      'for file in passwd shadow; do sed -i "/^$N:/d" "$D/$file"; done; rm -r "$D/home/$N"',
    );
    expect(await create(tools)).toMatchObject({ rolledBack: 'removed' });
    expect(used(tools).slice(2)).toEqual(['userdel', 'groupdel']);
    expect(left(tools)).toEqual(NOTHING);
  });

  it('reports what is left when userdel fails', async () => {
    const tools = failing('exit 1');
    expect(await create(tools)).toMatchObject({ fault: 'failed', rolledBack: 'left' });
    expect(left(tools)).toEqual(ALL);
  });

  it('reports what is left when userdel hangs', async () => {
    const tools = failing(HANGS);
    expect(await createUntilLimit(tools)).toMatchObject({ rolledBack: 'left' });
  });

  it('reports a removal although userdel exits with an error', async () => {
    const tools = failing(
      'for file in passwd shadow group; do sed -i "/^$N:/d" "$D/$file"; done; rm -r "$D/home/$N"; exit 12',
    );
    expect(await create(tools)).toMatchObject({ rolledBack: 'removed' });
  });

  it('reports a home that userdel has kept', async () => {
    const tools = failing('for file in passwd shadow group; do sed -i "/^$N:/d" "$D/$file"; done; exit 0');
    expect(await create(tools)).toMatchObject({ rolledBack: 'left' });
    expect(left(tools)).toEqual({ entries: [], home: true });
  });
});
