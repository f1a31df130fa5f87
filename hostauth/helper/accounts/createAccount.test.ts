import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, vi, onTestFinished, test } from 'vitest';
import { type StandInTools, standInTools } from '#tests/builders/standInTools.ts';
import { systemClock } from '../../base/clock.ts';
import { createAccount } from './createAccount.ts';
import { createCreationQueue, nameFault } from './createUser.ts';
import { defaultHome } from './lookUp.ts';
import { runTool } from './runTool.ts';
import { stopLimits } from '../../testing/processState.ts';

/** A clock on which no time passes: a limit is the same for each tool. */
const LIMIT_MS = 60_000;
const STOPPED = { monotonic: () => 0 };
const PASSWORD = 'correct: horse:battery';

const LIMITS = { limitMs: LIMIT_MS, rollBackMs: LIMIT_MS };
const create = (tools: StandInTools) =>
  createAccount({ name: 'ada', password: PASSWORD }, { tools, clock: STOPPED, ...LIMITS });

const HANGS = 'echo > "$D/hangs"; exec sleep 60';

const other = (shell: string) => `echo "$N:x:1:1::/home/ada:${shell}" >> "$D/passwd"`;
const OTHER = other('/usr/sbin/nologin');
const OTHER_LOCKED = `${OTHER}; echo "$N:!y:1::::::" >> "$D/shadow"`;
const ALL_MADE = `echo "$N:x:2001:2001::/:/usr/sbin/nologin" >> "$D/passwd"
  echo "$N:!:1::::::" >> "$D/shadow"; echo "$N:x:2001:" >> "$D/group"; mkdir "$D/home/$N"`;
const LOCKED = 'useradd: cannot lock /etc/passwd; try again later.';
const GROUP_KEPT = 'sed -i "/^$N:/d" "$D/passwd" "$D/shadow"; rm -r "$D/home/$N"';

type Scripts = Parameters<StandInTools['replace']>;

const CREATIONS: readonly (readonly [string, ...(readonly Scripts[])])[] = [
  ['nothing is wrong'],
  ['the name service fails', ['getent', 'exit 3']],
  ['useradd finds the name taken', ['useradd', `${OTHER}; exit 9`]],
  ['useradd waits for a lock whose holder creates it', ['useradd', `${OTHER}; echo '${LOCKED}' >&2; exit 1`]],
  ['useradd creates nothing', ['useradd', 'exit 1']],
  ['useradd fails without a home', ['useradd', `${ALL_MADE}; rmdir "$D/home/$N"; exit 12`]],
  ['useradd hangs with all made', ['useradd', `${ALL_MADE}; ${HANGS}`]],
  ['useradd hangs before it writes shadow', ['useradd', `${OTHER}; ${HANGS}`]],
  ['useradd finds the second file locked', ['useradd', `${ALL_MADE}; echo '${LOCKED}' >&2; exit 10`]],
  ['useradd hangs, and another user has a shell', ['useradd', `${other('/bin/bash')}; ${HANGS}`]],
  ['useradd hangs, and another user is locked', ['useradd', `${OTHER_LOCKED}; ${HANGS}`]],
  ['chpasswd finds the lock held', ['chpasswd', 'echo "Authentication token lock busy" >&2; exit 1']],
  ['the host’s rules refuse the password', ['chpasswd', `echo "BAD PASSWORD: ${PASSWORD}" >&2; exit 1`]],
  ['chpasswd repeats the password', ['chpasswd', `echo "no: ${PASSWORD}" >&2; exit 1`]],
  ['chpasswd hangs', ['chpasswd', HANGS]],
  ['chpasswd fails after its change', ['chpasswd', 'sed -i "s/^ada:!/ada:x/" "$D/shadow"; exit 1']],
  ['userdel keeps the group', ['chpasswd', 'exit 1'], ['userdel', GROUP_KEPT]],
  ['groupdel fails, too', ['chpasswd', 'exit 1'], ['userdel', GROUP_KEPT], ['groupdel', 'exit 1']],
  ['userdel fails, too', ['chpasswd', 'exit 1'], ['userdel', 'exit 1']],
];

/** Returns as text how a creation ends, which tools it has run with which input, and what is left. */
async function drawCreation(title: string, tools: StandInTools, creation: Promise<object>): Promise<string> {
  const result = JSON.stringify(await creation);
  const seen = tools.calls().map(({ commandLine, environment }) => commandLine + environment);
  // The password is in no report, argument or environment.
  expect(result + seen.join()).not.toContain('horse');
  const entries = ['passwd', 'shadow', 'group'].filter((file) => /^ada:/m.test(tools.read(file)));
  const left = [...entries, ...(existsSync(join(tools.folder, 'home', 'ada')) ? ['home'] : [])];
  const runs = tools.calls().map(({ commandLine, input }) => `${commandLine} < ${input.trimEnd()}\n`);
  return `=== ${title}\n${result}\n${runs.join('')}left: ${left.join(', ')}\n`.replaceAll(tools.folder, '');
}

test('spec §4.3 row 4: runs exactly useradd, then chpasswd with one line of input; changes nothing when the name is taken; removes only what it has made when a tool fails or hangs, or reports what is left', async () => {
  const drawings: string[] = [];
  const pass = stopLimits();
  for (const [title, ...scripts] of CREATIONS) {
    const tools = standInTools();
    for (const [tool, script] of scripts) tools.replace(tool, script);
    const hangs = title.includes('hangs') ? tools.event('hangs') : undefined;
    const creation = create(tools);
    await hangs;
    pass(hangs ? LIMIT_MS : 0);
    drawings.push(await drawCreation(title, tools, creation));
  }
  for (const [kind, take] of Object.entries({
    user: ({ add }: StandInTools) => add('passwd', 'ada:x:1:1::/:/bin/sh'),
    group: ({ add }: StandInTools) => add('group', 'ada:x:1001:'),
    // Its files would become the new user’s.
    home: ({ folder }: StandInTools) => mkdirSync(join(folder, 'home', 'ada')),
  })) {
    const tools = standInTools();
    take(tools);
    drawings.push(await drawCreation(`a ${kind} has the name`, tools, create(tools)));
  }
  await expect(drawings.join('\n')).toMatchFileSnapshot('testing/creations.txt');
});

test.each([
  ['chpasswd', HANGS, 20_000, 'removed'],
  ['userdel', 'exit 1', 40_000, 'left'],
] as const)('%s has only the time that is left', async (...row) => {
  const [tool, ofChpasswd, leftMs, rolledBack] = row;
  const [tools, pass] = [standInTools(), stopLimits()];
  tools.replace('chpasswd', ofChpasswd);
  tools.replace(tool, HANGS);
  const hangs = tools.event('hangs');
  let now = 0;
  const clock = { monotonic: () => (now += 10_000) };
  const creation = createAccount({ name: 'ada', password: PASSWORD }, { tools, clock, ...LIMITS });
  await hangs;
  pass(leftMs);
  expect(await creation).toMatchObject({ kind: 'failed', rolledBack });
});

test('the queue of creations refuses a creation when 16 wait; completes the one in progress and refuses those that wait after close()', async () => {
  const tools = standInTools();
  // The first useradd waits for `open`.
  const { waits, open } = tools.hold('useradd', 'echo "$N:x:1:1:::" >> "$D/passwd"');
  const creations = createCreationQueue({ tools, clock: systemClock, ...LIMITS });
  const begin = (name: string) => creations.create({ name, password: 'secret' });
  const first = begin('ada');
  const waiting = Array.from({ length: 16 }, (_, index) => begin(`bob${index}`));
  await waits;
  expect(await begin('late')).toEqual({ kind: 'full' });
  const closed = creations.close();
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ kind: 'closing' })));
  expect(await begin('eve')).toEqual({ kind: 'closing' });
  await open();
  await closed;
  expect(tools.calls().map(({ tool }) => tool)).toEqual(['useradd', 'chpasswd']);
  expect(await first).toEqual({ kind: 'created' });
});

test('the queue of creations does not begin a creation whose check ends after cancelWaiting() or close()', async () => {
  const tools = standInTools();
  const creations = createCreationQueue({ tools, clock: systemClock, ...LIMITS });
  const checks: (() => void)[] = [];
  const check = () => new Promise<undefined>((resolve) => checks.push(() => resolve(undefined)));
  // One that was cancelled leaves its place in the queue.
  const cancels = Array.from({ length: 17 }, () => () => creations.cancelWaiting());
  for (const cancel of [...cancels, () => void creations.close()]) {
    const creation = creations.create({ name: 'ada', password: 'secret' }, check);
    await new Promise((resolve) => setImmediate(resolve));
    expect(checks).toHaveLength(1);
    cancel();
    checks.pop()?.();
    expect(await creation).toEqual({ kind: 'closing' });
  }
  expect(tools.calls()).toEqual([]);
});

const faults = (names: readonly string[]) => new Set(names.map((name) => nameFault(name, 'sudo')));

test('nameFault finds names unusable or reserved on every host, and accepts others', () => {
  expect(faults(['a', 'a1', 'ada_l', 'ada-l', 'operators', 'x'.repeat(32)])).toEqual(new Set([undefined]));
  const others = ['', 'Ada', '1a', '-a', 'a-', 'a.b', 'a:b', 'a\n', 'é', 'x'.repeat(33)];
  expect(faults(others)).toEqual(new Set(['unusable']));
  const rights = 'root sudo wheel admin adm staff shadow disk docker lxd libvirt kvm kmem netdev daemon bin';
  const services = 'www-data backup nobody nogroup sshd postfix gdm systemd-network debian-tor hostauth';
  expect(faults(`${rights} ${services}`.split(' '))).toEqual(new Set(['reserved']));
  // The name of the administrators’ group.
  expect(nameFault('operators', 'operators')).toBe('reserved');
});

const TOOL_MS = 200;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 500;
const LOOP = 'while :; do sleep 0.05; done';

test('runTool gives the tool a small environment, no shell and a session of its own; resolves to its exit code and output', async () => {
  const tools = standInTools();
  tools.replace('useradd', 'cut -d" " -f6 < /proc/$$/stat; echo $$; pwd -P; echo err >&2; exit 9');
  vi.stubEnv('HOSTAUTH_PORT', '4321');
  onTestFinished(() => void vi.unstubAllEnvs());
  const end = await runTool({ path: tools.useradd, args: ['--', '$(id) `id` ;'], limitMs: 60_000 });
  expect(end).toMatchObject({ code: 9, timedOut: false, stderr: 'err\n' });
  expect(end.stdout).toMatch(/^(\d+)\n\1\n\/\n$/);
  const [call] = tools.calls();
  expect(call?.commandLine).toBe(`/bin/sh ${tools.useradd} -- $(id) \`id\` ;`);
  const environment = ['LC_ALL=C', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin'];
  expect(call?.environment.trim().split('\n').sort()).toEqual(environment);
});

test('runTool resolves to the exit code of a tool that does not read its input, and keeps the begin of a long output', async () => {
  const input = 'x'.repeat(1_000_000);
  expect(await runTool({ path: '/bin/false', args: [], input, limitMs: 60_000 })).toMatchObject({ code: 1 });
  const missing = await runTool({ path: '/missing/tool', args: [], limitMs: 60_000 });
  expect(missing).toMatchObject({ code: undefined, timedOut: false, stderr: 'spawn /missing/tool ENOENT' });
  expect(await defaultHome('ada', { defaults: '/missing' })).toBe('/home/ada');
  const zeros = { path: '/bin/head', args: ['-c', '1000000', '/dev/zero'], limitMs: 60_000 };
  expect((await runTool(zeros)).stdout.length).toBeLessThan(200_000);
});

test.each([
  ['ends a tool that hangs, and all that it has started', 'sleep 60 & echo > "$D/ready"; wait', 0],
  ['kills a tool that ignores SIGTERM', `trap "" TERM; echo > "$D/ready"; ${LOOP}`, GRACE_MS],
  [
    'lets a tool clean up after SIGTERM, and has no code of it',
    `trap 'touch "$D/cleaned"; exit 0' TERM; echo > "$D/ready"; ${LOOP}`,
    0,
  ],
])('runTool %s at its limit', async (title, script, graceMs) => {
  const tools = standInTools();
  const [dead, ready] = [tools.event('alive'), tools.event('ready')];
  tools.replace('useradd', `exec 3> "$D/alive"; ${script}`);
  const pass = stopLimits();
  const [started, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  onTestFinished(() => void vi.restoreAllMocks());
  const end = runTool({ path: tools.useradd, args: [], limitMs: TOOL_MS });
  await ready;
  pass(TOOL_MS + graceMs);
  expect(await end).toMatchObject({ code: undefined, timedOut: true });
  const grace = started.mock.calls.findIndex(([, ms]) => ms === GRACE_MS);
  expect(cleared).toHaveBeenCalledWith(started.mock.results[grace]?.value);
  // The last process that has it open has ended.
  await dead;
  expect(existsSync(join(tools.folder, 'cleaned'))).toBe(title.includes('clean up'));
});
