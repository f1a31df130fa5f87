import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type StandInTools, standInTools } from '#tests/builders/standInTools.ts';
import { createAccountCheck } from './accountCheck.ts';
import { type AccountEntry, createAccountProofs, createLocalAccounts } from './localAccounts.ts';
import { loadProofKey, parseEntry } from './localAccounts.ts';
import { LookUpError, groupsOf, lookUpAccount, isAdministrator } from './lookUp.ts';
import type { AccountUse } from '../pam/accountPhase.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { stopLimits } from '../../testing/processState.ts';
import { fakeClock } from '../../testing/testApp.ts';

const MAX_MS = 28_800_000;
const DAY = 20_454;
const PASSWD = 'root:x:0:0:root:/root:/bin/bash\nada:x:1000:1000:Ada,,,:/home/ada:/bin/sh\n';
const SHADOW = `root:*:19000:0:99999:7:::\nada:$y$j9T$salt$hash:${DAY - 100}:0:99999:7:::\n`;
const same = { state: 'same', username: 'ada' };
const ended = (reason: string) => ({ state: 'ended', reason });

/** A host of fixture files and a directory, and functions that change them as tools do. */
function host({ passwd = PASSWD, shadow = SHADOW } = {}) {
  const folder = mainFolder();
  const files = { passwd: join(folder, 'passwd'), shadow: join(folder, 'shadow') };
  const replace = (name: keyof typeof files, text: string) => {
    writeFileSync(`${files[name]}-`, text);
    renameSync(`${files[name]}-`, files[name]);
  };
  replace('passwd', passwd);
  replace('shadow', shadow);
  const clock = fakeClock(DAY * 86_400_000);
  const directory = new Map<string, string>();
  const lookUp = vi.fn<(name: string) => Promise<AccountEntry | undefined>>(async (name) => {
    const line = directory.get(name);
    if (line === 'away') throw new LookUpError('getent passwd failed');
    return line === undefined ? undefined : parseEntry(line.split(':'));
  });
  const accountUse = vi.fn<() => Promise<AccountUse>>(async () => ({ kind: 'usable' }));
  const local = createLocalAccounts(files);
  const options = { local, lookUpAccount: lookUp, accountUse, clock, maxMs: MAX_MS };
  const checkWith = (key: Buffer) => createAccountCheck({ proofs: createAccountProofs(key), ...options });
  const { check, prove: proveEntry, localEntry } = checkWith(randomBytes(32));
  const prove = async (username = 'ada', entry = localEntry(username)) =>
    (await proveEntry(username, entry)) ?? 'no proof';
  return { check, checkWith, prove, files, local, replace, clock, directory, lookUp, accountUse };
}

test('an unchanged account is the same, also with another full name, and no program starts for the check', async () => {
  const { prove, check, replace, lookUp, accountUse } = host();
  const proof = await prove();
  expect(await check(proof)).toEqual(same);
  replace('passwd', `${PASSWD.replace('Ada,,,', 'Ada King')}eve:x:1001:1001::/home/eve:/bin/sh\n`);
  replace('shadow', `${SHADOW}eve:!:1:0:99999:7:::\n`);
  expect(await check(proof)).toEqual(same);
  expect([lookUp.mock.calls, accountUse.mock.calls]).toEqual([[], []]);
});

test.each([
  ['deleted', 'passwd', PASSWD.replace(/^ada.*\n/m, '')],
  ['replaced', 'passwd', PASSWD.replace('1000:1000', '1001:1000')],
  ['locked', 'shadow', SHADOW.replace('ada:', 'ada:!')],
  ['password', 'shadow', SHADOW.replace('$hash', '$other')],
  ['password', 'shadow', SHADOW.replace(/ada:[^:]*/, 'ada:')],
  // The days for which its password is valid.
  ['changed', 'shadow', SHADOW.replace(/99999:7:::\n$/, '900:7:::\n')],
  ['changed', 'passwd', PASSWD.replace('/bin/sh', '/bin/zsh')],
  ['changed', 'passwd', PASSWD.replace('1000:1000', '1000:27')],
] as const)('an account that is %s (%s) ends', async (reason, file, text) => {
  const { prove, check, replace } = host();
  const proof = await prove();
  replace(file, text);
  expect(await check(proof)).toEqual(ended(reason));
});

test('an account expires on its day without a change of any file; until then unix_chkpwd is asked once, and again when it did not answer', async () => {
  const shadow = SHADOW.replace(/7:::\n$/, `7::${DAY + 1}:\n`);
  const { prove, check, accountUse, clock, replace } = host({ shadow });
  clock.advance(86_370_000);
  const proof = await prove();
  accountUse.mockResolvedValueOnce({ kind: 'unknown', detail: 'EAGAIN' });
  expect(await check(proof)).toEqual({ state: 'unknown', detail: 'EAGAIN' });
  expect(await check(proof)).toEqual(same);
  for (const ms of [0, 10_000, 10_000]) {
    clock.advance(ms);
    expect(await check(proof, { isFresh: true })).toEqual(same);
  }
  expect(accountUse).toHaveBeenCalledTimes(2);
  accountUse.mockResolvedValue({ kind: 'expired' });
  clock.advance(10_000);
  expect(await check(proof)).toEqual(ended('expired'));
  replace('passwd', PASSWD.replace('/bin/sh', '/bin/zsh'));
  expect(await check(proof)).toEqual(ended('expired'));
});

test('an account of a directory is the same until its identity changes; a cached answer counts for 3 s unless the call requires a fresh one; it is unknown while the directory does not answer', async () => {
  const { prove, check, directory, clock, lookUp, accountUse } = host();
  const line = 'bea:*:5000:5000:Bea:/home/bea:/bin/sh';
  const bea = { state: 'same', username: 'bea' };
  directory.set('bea', line);
  const proof = await prove('bea', parseEntry(line.split(':')));
  expect(lookUp).not.toHaveBeenCalled();
  expect(await check(proof)).toEqual(bea);
  directory.set('bea', line.replace('5000:5000', '5001:5000'));
  expect(await check(proof)).toEqual(bea);
  expect(lookUp).toHaveBeenCalledTimes(1);
  expect(await check(proof, { isFresh: true })).toEqual(ended('replaced'));
  directory.set('bea', line);
  expect(await check(await prove('bea'), { isFresh: true })).toEqual(bea);
  clock.advance(3000);
  // A failure is not kept.
  const away = { state: 'unknown', detail: 'getent passwd failed' };
  for (const [now, answer] of Object.entries({ away, [line]: bea })) {
    directory.set('bea', now);
    expect(await check(proof)).toEqual(answer);
  }
  // Whether it may be used is asked as often.
  accountUse.mockResolvedValue({ kind: 'must-change' });
  clock.advance(2999);
  expect(await check(proof)).toEqual(bea);
  expect(await check(proof, { isFresh: true })).toEqual(ended('expired'));
  accountUse.mockResolvedValue({ kind: 'usable' });
  clock.advance(3000);
  expect(await check(proof)).toEqual(bea);
  directory.delete('bea');
  clock.advance(3000);
  expect(await check(proof)).toEqual(ended('deleted'));
});

test('an account proof reveals nothing of shadow; is not valid with another key, other content, or text after it, or beyond the greatest age of a session', async () => {
  const { prove, check, checkWith, clock } = host();
  const proof = await prove();
  const [body = '', mac = ''] = proof.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  expect(JSON.parse(text)).toMatchObject({ username: 'ada', uid: 1000 });
  for (const secret of ['salt', 'hash']) expect(text).not.toContain(secret);
  const root = Buffer.from(text.replace('"ada"', '"root"').replace('1000', '0')).toString('base64url');
  expect(await checkWith(randomBytes(32)).check(proof)).toEqual(ended('proof'));
  for (const forged of ['', '.', body, `${body}.`, `${root}.${mac}`, `${proof}.x`, `${proof}x`])
    expect(await check(forged)).toEqual(ended('proof'));
  clock.advance(MAX_MS);
  expect(await check(proof)).toEqual(same);
  clock.advance(60_000);
  expect(await check(proof)).toEqual(same);
  clock.advance(1);
  expect(await check(proof)).toEqual(ended('proof'));
});

test('the key of the proofs is stored for root alone and loaded again; a part of a key is replaced', () => {
  const folder = mainFolder();
  const path = join(folder, 'proof.key');
  const key = loadProofKey(`${folder}:/other`);
  expect([key.length, statSync(path).mode & 0o777]).toEqual([32, 0o600]);
  expect(loadProofKey(folder)).toEqual(key);
  writeFileSync(path, key.subarray(1));
  const next = loadProofKey(folder);
  expect(next).toHaveLength(32);
  expect(loadProofKey(folder)).toEqual(next);
  expect(loadProofKey(undefined)).not.toEqual(next);
});

const FILE = `ada:x:1000:1000:Ada:/home/ada:/bin/bash
adam:x:1001:1001:Adam:/home/adam:/bin/sh
ada:x:1002:1002:Another:/home/other:/bin/sh
nis:x:+
+eve:x:0:0::/root:/bin/sh
-bob:x:1002:1002:::
zoë:x:1003:1003::/home/zoe:/bin/sh`;

test('finds an account by its whole name, but not in lines of NIS; of two lines with one name the first counts; a file that was replaced or removed is read again', () => {
  const { local, files, replace } = host({ passwd: FILE, shadow: 'ada:old:1:0:9:7:::\n' });
  for (const [username, uid] of Object.entries({ ada: 1000, adam: 1001, zoë: 1003 }))
    expect(local.find(username)).toMatchObject({ username, uid });
  for (const name of ['', 'ad', 'da', 'ada:x', 'x', '\nadam', 'adam\n', 'nis', '+eve', '-bob', 'root'])
    expect(local.find(name)).toBeUndefined();
  expect(local.shadowLine('ada')).toBe('ada:old:1:0:9:7:::');
  replace('shadow', 'adam:new:1:0:9:7:::\nada:new:1:0:9:7:::\n');
  expect(local.find('ada')).toMatchObject({ password: 'new', aging: '1:0:9:7:::' });
  rmSync(files.passwd);
  expect(local.find('ada')).toBeUndefined();
  // One that cannot be read.
  rmSync(files.shadow);
  mkdirSync(files.shadow);
  expect(local.shadowLine('ada')).toBe('');
});

test('finds an account of a directory by its name; asks nothing for a name that getent reads as a uid or an option, or NIS as a line', async () => {
  const tools = standInTools();
  tools.add('passwd', 'bea:*:5000:5000:Bea:/home/bea:/bin/sh');
  const bea = { username: 'bea', uid: 5000, identity: 'bea:5000:5000:/home/bea:/bin/sh' };
  expect(await lookUpAccount('bea', tools)).toEqual({ ...bea, password: '', aging: '' });
  expect(await lookUpAccount('eve', tools)).toBeUndefined();
  tools.replace('getent', 'echo root:x:0:0:root:/root:/bin/sh');
  for (const name of ['0', '+0', ' 0', '007', '+', '-root', '--version', '+@admins'])
    expect(await lookUpAccount(name, tools)).toBeUndefined();
});

/** A host with a group `sudo`, number 27, and a user in these groups. */
function groupHost(groupsOfAda: string): StandInTools {
  const tools = standInTools();
  tools.add('group', 'sudo:x:27:');
  tools.replace('id', `[ "$N" = ada ] && echo "${groupsOfAda}"`);
  return tools;
}

test('rejects while the name service fails, or does not answer in time', async () => {
  const failing = groupHost('27');
  failing.replace('getent', 'exit 3');
  const hanging = { tools: groupHost('27'), limitMs: 1 };
  hanging.tools.replace('id', 'exec sleep 60');
  const calls = [
    lookUpAccount('bea', failing),
    isAdministrator('ada', { tools: failing, group: 'sudo' }),
    groupsOf('ada', hanging),
  ];
  await Promise.all(calls.map((call) => expect(call).rejects.toThrow(LookUpError)));
  // The group is found before `id` hangs.
  const [tools, pass] = [groupHost('27'), stopLimits()];
  const waits = tools.event('waits');
  tools.replace('id', 'echo > "$D/waits"; exec sleep 60');
  const late = isAdministrator('ada', { tools, group: 'sudo' });
  await waits;
  pass(5000);
  await expect(late).rejects.toThrow('id took too long');
});

test('an administrator is in the group, by its whole number', async () => {
  for (const [groups, username, group, expected] of [
    ['1001 27', 'ada', 'sudo', true],
    ['1001 270', 'ada', 'sudo', false],
    ['27', 'bob', 'sudo', false],
    ['27', 'ada', 'wheel', false],
  ] as const)
    expect(await isAdministrator(username, { tools: groupHost(groups), group })).toBe(expected);
});

test('returns groups with spaces, and numbers of groups without names; none for a user that does not exist; of many those in 8 KiB, which a line to the HTTP process can have', async () => {
  const tools = standInTools();
  tools.replace('id', String.raw`[ "$5" = ada ] && printf 'ada\0domain users\0001005\0'; exit 1`);
  expect(await groupsOf('ada', { tools })).toEqual(['ada', 'domain users', '1005']);
  expect(await groupsOf('bob', { tools })).toEqual([]);
  tools.replace('id', String.raw`i=1000; while [ $i -lt 2000 ]; do printf 'group-%s\0' $i; i=$((i+1)); done`);
  expect(await groupsOf('ada', { tools })).toHaveLength(630);
});
