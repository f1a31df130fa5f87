import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, vi, onTestFinished, test } from 'vitest';
import { type StandInTools, standInTools } from '#tests/builders/standInTools.ts';
import { systemClock } from '../../base/clock.ts';
import { createAccount } from './createAccount.ts';
import { createCreationQueue, nameFault } from './createUser.ts';
import { type ToolEnd, runTool } from './runTool.ts';
import { stopLimits } from '../../testing/processState.ts';

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
  test('spec §4.3 row 4: runs exactly useradd, then chpasswd with one line of input', async () => {
    const tools = standInTools();
    expect(await create(tools)).toEqual({ kind: 'created' });
    expect(tools.calls().map(({ tool, commandLine, input }) => [tool, commandLine, input])).toEqual([
      ['useradd', `/bin/sh ${tools.useradd} --create-home --user-group --shell /usr/sbin/nologin -- ada`, ''],
      ['chpasswd', `/bin/sh ${tools.chpasswd}`, `ada:${PASSWORD}\n`],
    ]);
  });
});

describe('createAccount for a taken name', () => {
  test('reports busy and starts no tool when the name service fails', async () => {
    const tools = standInTools();
    tools.replace('getent', 'exit 3');
    expect(await create(tools)).toMatchObject({ kind: 'failed', fault: 'busy', rolledBack: 'nothing' });
    expect(tools.calls()).toEqual([]);
  });

  test.each([
    ['user', 'passwd', 'ada:x:1001:1001::/home/ada:/bin/bash'],
    ['group', 'group', 'ada:x:1001:'],
  ] as const)('refuses the name of a %s before any tool changes anything', async (by, file, line) => {
    const tools = standInTools();
    tools.add(file, line);
    expect(await create(tools)).toEqual({ kind: 'taken', by });
    expect(tools.calls()).toEqual([]);
  });

  test('refuses a name whose old home still exists: its files would become the new user’s', async () => {
    const tools = standInTools();
    mkdirSync(join(tools.folder, 'home', 'ada'));
    expect(await create(tools)).toEqual({ kind: 'taken', by: 'home' });
    expect(left(tools)).toEqual({ entries: [], home: true });
  });

  test('refuses a name that is taken just before useradd, and leaves that user alone', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'echo "$N:x:1001:1001::/home/ada:/bin/bash" >> "$D/passwd"; exit 9');
    expect(await create(tools)).toEqual({ kind: 'taken', by: 'useradd' });
    expect(used(tools)).toEqual(['useradd']);
    expect(left(tools).entries).toEqual(['passwd']);
  });
});

const HANGS = 'echo > "$D/hangs"; exec sleep 60';

/** Creates an account; when a tool hangs, lets the limit pass. */
async function createUntilLimit(tools: StandInTools) {
  const pass = stopLimits();
  const hangs = tools.event('hangs');
  const creation = create(tools);
  await Promise.race([creation, hangs]);
  pass(LIMIT_MS);
  return creation;
}

describe('createAccount when useradd fails', () => {
  test('reports busy when the account files are locked, and leaves a user that the lock holder created', async () => {
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

  test('rolls nothing back when useradd has created nothing', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'echo "useradd: no space left" >&2; exit 1');
    expect(await create(tools)).toMatchObject({ kind: 'failed', fault: 'failed', rolledBack: 'nothing' });
    expect(used(tools)).toEqual(['useradd']);
  });

  test.each([
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

  test('does not remove a user with a shell, whom another program created while useradd hung', async () => {
    const tools = standInTools();
    tools.replace('useradd', `echo "$N:x:1:1::/home/ada:/bin/bash" >> "$D/passwd"; ${HANGS}`);
    expect(await createUntilLimit(tools)).toMatchObject({ fault: 'busy', rolledBack: 'left' });
    expect(used(tools)).toEqual(['useradd']);
  });
});

describe('createAccount when chpasswd fails', () => {
  test.each([
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

  test('passes the password in no argument and no environment, and does not report the output of chpasswd, which may repeat it', async () => {
    const tools = standInTools();
    tools.replace('chpasswd', `echo "no: ${PASSWORD}" >&2; exit 1`);
    expect(JSON.stringify(await create(tools))).not.toContain('horse');
    expect(used(tools)).toEqual(['useradd', 'chpasswd', 'userdel']);
    for (const { commandLine, environment } of tools.calls())
      expect(commandLine + environment).not.toContain('horse');
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
  test('removes a group that userdel has kept', async () => {
    const tools = failing(
      'for file in passwd shadow; do sed -i "/^$N:/d" "$D/$file"; done; rm -r "$D/home/$N"',
    );
    expect(await create(tools)).toMatchObject({ rolledBack: 'removed' });
    expect(used(tools).slice(2)).toEqual(['userdel', 'groupdel']);
    expect(left(tools)).toEqual(NOTHING);
  });

  test('reports what is left when userdel fails', async () => {
    const tools = failing('exit 1');
    expect(await create(tools)).toMatchObject({ fault: 'failed', rolledBack: 'left' });
    expect(left(tools)).toEqual(ALL);
  });
});

/** A queue whose first useradd waits for `open`. */
function gated() {
  const tools = standInTools();
  const { waits, open } = tools.hold('useradd', 'echo "$N:x:1:1:::" >> "$D/passwd"');
  const accounts = createCreationQueue({ tools, clock: systemClock, limitMs: 60_000, rollBackMs: 60_000 });
  const begin = (name: string) => accounts.create({ name, password: 'secret' });
  return { tools, begin, close: () => accounts.close(), open, waits };
}

describe('the queue of creations', () => {
  test('creates one of three users with one name; the name is taken for the others', async () => {
    const { begin, open, waits } = gated();
    const creations = Promise.all(Array.from({ length: 3 }, () => begin('ada')));
    await waits;
    await open();
    const kinds = (await creations).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['created', 'taken', 'taken']);
  });

  test('refuses a creation when 16 wait; completes the one in progress and refuses those that wait after close()', async () => {
    const { begin, close, open, waits, tools } = gated();
    const first = begin('ada');
    const waiting = Array.from({ length: 16 }, (_, index) => begin(`bob${index}`));
    await waits;
    expect(await begin('late')).toEqual({ kind: 'full' });
    const closed = close();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ kind: 'closing' })));
    expect(await begin('eve')).toEqual({ kind: 'closing' });
    await open();
    await closed;
    expect(used(tools)).toEqual(['useradd', 'chpasswd']);
    expect(await first).toEqual({ kind: 'created' });
  });

  test('does not begin a creation whose check ends after cancelWaiting() or close()', async () => {
    const tools = standInTools();
    const creations = createCreationQueue({ tools, clock: systemClock, limitMs: 60_000, rollBackMs: 60_000 });
    const checks: (() => void)[] = [];
    const check = () => new Promise<undefined>((resolve) => checks.push(() => resolve(undefined)));
    for (const cancel of [() => creations.cancelWaiting(), () => void creations.close()]) {
      const creation = creations.create({ name: 'ada', password: 'secret' }, check);
      await new Promise((resolve) => setImmediate(resolve));
      expect(checks).toHaveLength(1);
      cancel();
      checks.pop()?.();
      expect(await creation).toEqual({ kind: 'closing' });
    }
    expect(tools.calls()).toEqual([]);
  });
});

const faults = (names: readonly string[]) => new Set(names.map((name) => nameFault(name, 'sudo')));

describe('nameFault', () => {
  test('finds names unusable or reserved on every host, and accepts others', () => {
    const valid = ['a', 'a1', 'ada_l', 'ada-l', 'x'.repeat(32)];
    expect(faults(valid)).toEqual(new Set([undefined]));
    const others = ['', 'Ada', '1a', '-a', 'a-', 'a.b', 'a:b', 'a\n', 'é', 'x'.repeat(33)];
    expect(faults(others)).toEqual(new Set(['unusable']));
    const reserved = ['root', 'wheel', 'systemd-network', 'debian-tor', 'hostauth'];
    expect(faults(reserved)).toEqual(new Set(['reserved']));
  });

  test('finds the name of the administrators’ group reserved', () => {
    expect(nameFault('operators', 'operators')).toBe('reserved');
    expect(nameFault('operators', 'sudo')).toBeUndefined();
  });
});

const run = (path: string) => runTool({ path, args: ['--', 'ada'], limitMs: 60_000 });

const TOOL_MS = 200;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 500;
const LOOP = 'while :; do sleep 0.05; done';

/** Runs useradd, and lets this time pass as soon as it is ready. */
async function runToItsLimit(tools: StandInTools, ms: number): Promise<ToolEnd> {
  const pass = stopLimits();
  const ready = tools.event('ready');
  const end = runTool({ path: tools.useradd, args: [], limitMs: TOOL_MS });
  await ready;
  pass(ms);
  return end;
}

describe('runTool', () => {
  test('resolves to the exit code and the output', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'echo out; echo err >&2; exit 9');
    expect(await run(tools.useradd)).toEqual({
      code: 9,
      timedOut: false,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  test('resolves to the exit code of a tool that does not read its input', async () => {
    const tools = standInTools();
    const input = 'x'.repeat(1_000_000);
    const end = await runTool({ path: '/bin/false', args: [], input, limitMs: 60_000 });
    expect(end.code).toBe(1);
    expect(tools.calls()).toEqual([]);
  });

  test('gives the tool a small environment, no shell and a session of its own', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'cut -d" " -f6 < /proc/$$/stat; echo $$');
    vi.stubEnv('HOSTAUTH_PORT', '4321');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stdout } = await runTool({ path: tools.useradd, args: ['--', '$(id) `id` ;'], limitMs: 60_000 });
    const [session, pid] = stdout.trim().split('\n');
    expect(session).toBe(pid);
    const [call] = tools.calls();
    expect(call?.commandLine).toBe(`/bin/sh ${tools.useradd} -- $(id) \`id\` ;`);
    expect(call?.environment.trim().split('\n').sort()).toEqual([
      'LC_ALL=C',
      'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    ]);
  });

  test('ends a tool that hangs at its limit, and all that it has started', async () => {
    const tools = standInTools();
    const dead = tools.event('alive');
    tools.replace('useradd', 'exec 3> "$D/alive"; sleep 60 & echo > "$D/ready"; wait');
    const { code, timedOut } = await runToItsLimit(tools, TOOL_MS);
    expect({ code, timedOut }).toEqual({ code: undefined, timedOut: true });
    // The last process that has it open has ended.
    await dead;
  });

  test('kills a tool that ignores SIGTERM', async () => {
    const tools = standInTools();
    const dead = tools.event('alive');
    tools.replace('useradd', `trap "" TERM; exec 3> "$D/alive"; echo > "$D/ready"; ${LOOP}`);
    const { timedOut } = await runToItsLimit(tools, TOOL_MS + GRACE_MS);
    expect(timedOut).toBe(true);
    await dead;
  });
});
