import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { dropPrivileges, forbidCoreFiles, unprivilegedUser } from './privileges.ts';
import { ConfigError, loadConfig, readConfig, settingsHelp } from './config.ts';

const TLS = { HOSTAUTH_TLS_CERT: '/cert.pem', HOSTAUTH_TLS_KEY: '/key.pem' };

const PROXIES = ['10.0.0.0/32', '::1', 'fd00::/128'];
const APPS = ['wiki.example.org', 'localhost:8443', '[::1]:65535'];

function messageOf(env: Record<string, string>): string {
  try {
    readConfig(env);
    return 'no error';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** Each setting: its variable, its field and its default; then a value, and what it is read as. */
const SETTINGS: readonly (readonly [string, string, unknown, string, unknown])[] = [
  ['HOSTAUTH_HOST', 'host', '127.0.0.1', '0.0.0.0', '0.0.0.0'],
  ['HOSTAUTH_PORT', 'port', 4320, '65535', 65_535],
  ['HOSTAUTH_PAM_SERVICE', 'pamService', 'hostauth', 'login', 'login'],
  ['HOSTAUTH_HELPER_SOCKET', 'helperSocket', null, '/run/helper.sock', '/run/helper.sock'],
  ['HOSTAUTH_USERS', 'users', 'admin', 'off', 'off'],
  ['HOSTAUTH_ADMIN_GROUP', 'adminGroup', 'sudo', '_Admins.2', '_Admins.2'],
  ['HOSTAUTH_IDLE_S', 'idleMs', 900_000, '1', 1000],
  ['HOSTAUTH_MAX_S', 'maxMs', 28_800_000, '31536000', 31_536_000_000],
  ['HOSTAUTH_SLOTS', 'slots', 1024, '3', 3],
  ['HOSTAUTH_PER_USER', 'perUser', 64, '1000000', 1_000_000],
  ['HOSTAUTH_FAILURES', 'failures', 10, '5', 5],
  ['HOSTAUTH_ADDRESS_FAILURES', 'addressFailures', 60, '6', 6],
  ['HOSTAUTH_TRUSTED_PROXIES', 'trustedProxies', [], '10.0.0.0/32, ::1,fd00::/128', PROXIES],
  ['HOSTAUTH_APP_HOSTS', 'appHosts', [], 'Wiki.example.org,localhost:8443, [::1]:65535', APPS],
];

const refuse = () => expect.fail('EPERM');
const fields = (column: 2 | 4) => Object.fromEntries(SETTINGS.map((row) => [row[1], row[column]]));

test('contract §8 lifetime: reads every setting, and uses the defaults for settings that are not set or empty', () => {
  const env = { ...Object.fromEntries(SETTINGS.map(([name, , , text]) => [name, text])), ...TLS };
  expect(readConfig(env)).toEqual({ ...fields(4), tls: { cert: '/cert.pem', key: '/key.pem' } });
  const defaults = { ...fields(2), tls: null };
  expect(readConfig({})).toEqual(defaults);
  expect(readConfig(Object.fromEntries(Object.keys(env).map((name) => [name, ''])))).toEqual(defaults);
});

test('a setting that is not valid ends the process with 2, with which systemd does not start it again', () => {
  vi.stubEnv('HOSTAUTH_PORT', 'http');
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  onTestFinished(() => void vi.unstubAllEnvs().restoreAllMocks());
  expect(loadConfig).toThrow('exit 2');
  expect(write.mock.calls).toEqual([['HOSTAUTH_PORT takes a whole number from 0 to 65535, not "http"\n']]);
});

const BAD: Readonly<Record<string, readonly string[]>> = {
  HOSTAUTH_PORT: ['65536', '-1', '1.5', 'http', ' 80', '1e3'],
  HOSTAUTH_IDLE_S: ['0', '-1', 'Infinity', '31536001', '15m'],
  HOSTAUTH_MAX_S: ['0', 'never'],
  HOSTAUTH_SLOTS: ['0', '1000001'],
  HOSTAUTH_PER_USER: ['0', 'all'],
  HOSTAUTH_FAILURES: ['0', '10/min'],
  HOSTAUTH_ADDRESS_FAILURES: ['0', 'none'],
  HOSTAUTH_TRUSTED_PROXIES: 'true|,|10.0.0.256|10.0.0.1:80|10.0.0.0/33|10.0.0.0/0|::/129|fe80::1%eth0'.split(
    '|',
  ),
  HOSTAUTH_APP_HOSTS: [',', 'https://wiki.example.org', '*.example.org', 'wiki/', 'wiki:x', 'a b'],
  HOSTAUTH_USERS: ['yes', 'Admin', 'true'],
  HOSTAUTH_HOST: ['http://127.0.0.1', 'a b', '*'],
  HOSTAUTH_ADMIN_GROUP: ['-sudo', 'a b', 'sudo,adm', '1st', 'x'.repeat(33)],
  HOSTAUTH_HELPER_SOCKET: ['run/helper.sock'],
};

test('contract §8 bad settings: `--help` lists each setting with what it takes and its default; names a bad setting in one line with its value and what it takes', async () => {
  await expect(`${settingsHelp()}\n`).toMatchFileSnapshot('testing/settings.txt');
  const bad = Object.entries(BAD).flatMap(([name, values]) => values.map((value) => ({ [name]: value })));
  const messages = bad.map((setting) => `${messageOf({ ...TLS, ...setting })}\n`);
  await expect(messages.join('')).toMatchFileSnapshot('testing/badSettings.txt');
});

test('contract §8 host: rejects a host other than loopback without TLS, and names the missing settings; rejects half of TLS', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.2', 'example.org', '127.evil.example', '128.0.0.1']) {
    expect(messageOf({ HOSTAUTH_HOST: host })).toBe(
      `HOSTAUTH_HOST=${host} is not loopback: set HOSTAUTH_TLS_CERT and HOSTAUTH_TLS_KEY to PEM files`,
    );
    expect(messageOf({ HOSTAUTH_HOST: host, ...TLS })).toBe('no error');
  }
  for (const host of ['127.8.8.8', '::1', 'localhost'])
    expect(messageOf({ HOSTAUTH_HOST: host })).toBe('no error');
  const half = 'HOSTAUTH_TLS_CERT and HOSTAUTH_TLS_KEY go together: set both, or neither';
  for (const [name, value] of Object.entries(TLS)) expect(messageOf({ [name]: value })).toBe(half);
});

test('the user without rights is `hostauth`, else `nobody`, and never one with an id of root; drops the groups, then the group, then the user, and ends when root is still possible; forbids core files', () => {
  const nobody = 'nobody:x:65534:65533::/:/bin/sh\n';
  expect(unprivilegedUser(`root:x:0:0:::\n${nobody}`)).toEqual({ uid: 65534, gid: 65533 });
  expect(unprivilegedUser(`${nobody}hostauth:x:990:991:::`)).toEqual({ uid: 990, gid: 991 });
  for (const passwd of ['', 'hostauth:x:0:9:::', `${nobody}hostauth:x:9:0:::`, 'ahostauth:x:9:9:::'])
    expect(() => unprivilegedUser(passwd)).toThrow('there is no user');
  const { uid, gid } = unprivilegedUser(readFileSync('/etc/passwd', 'utf8'));
  const calls: string[] = [];
  const note = (name: string) => [name, (to: number | number[]) => void calls.push(`${name} ${String(to)}`)];
  const set = Object.fromEntries(['setgroups', 'setgid', 'setuid'].map(note));
  vi.stubGlobal('process', Object.assign(Object.create(process), set, { getuid: () => 0 }));
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(dropPrivileges).toThrow('could not drop the rights of root');
  expect(calls).toEqual(['setgroups ', `setgid ${gid}`, `setuid ${uid}`, 'setuid 0']);
  let own = 0;
  const setuid = (to: number) => void (own === 0 ? (own = to) : refuse());
  Object.assign(process, { getuid: () => own, geteuid: () => own, setuid });
  expect(dropPrivileges).not.toThrow();
  vi.unstubAllGlobals();
  forbidCoreFiles();
  expect(readFileSync('/proc/self/limits', 'utf8')).toMatch(/^Max core file size +0 +0 /m);
});
