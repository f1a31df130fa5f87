import { expect, test } from 'vitest';
import { ConfigError, isLoopback, readConfig } from './config.ts';

const TLS = { HOSTAUTH_TLS_CERT: '/cert.pem', HOSTAUTH_TLS_KEY: '/key.pem' };

function messageOf(env: Record<string, string>): string {
  try {
    readConfig(env);
    return 'no error';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

test('contract §8 lifetime: uses the defaults for settings that are not set or empty', () => {
  const defaults = {
    host: '127.0.0.1',
    port: 4320,
    tls: null,
    pamService: 'hostauth',
    helperSocket: null,
    users: 'admin',
    adminGroup: 'sudo',
    idleMs: 900_000,
    maxMs: 28_800_000,
    slots: 1024,
    perUser: 64,
    failures: 10,
    addressFailures: 60,
    trustedProxies: [],
    appHosts: [],
  };
  expect(readConfig({})).toEqual(defaults);
  expect(readConfig({ HOSTAUTH_PORT: '', HOSTAUTH_TLS_CERT: '', HOSTAUTH_USERS: '' })).toEqual(defaults);
});

test('reads every setting', () => {
  const env = {
    HOSTAUTH_HOST: '0.0.0.0',
    HOSTAUTH_PORT: '0',
    ...TLS,
    HOSTAUTH_PAM_SERVICE: 'login',
    HOSTAUTH_USERS: 'off',
    HOSTAUTH_ADMIN_GROUP: 'wheel',
    HOSTAUTH_IDLE_S: '1',
    HOSTAUTH_MAX_S: '2',
    HOSTAUTH_SLOTS: '3',
    HOSTAUTH_PER_USER: '4',
    HOSTAUTH_FAILURES: '5',
    HOSTAUTH_ADDRESS_FAILURES: '6',
    HOSTAUTH_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1,fd00::/8',
    HOSTAUTH_APP_HOSTS: 'Wiki.example.org,localhost:8443, [::1]:8443',
    HOSTAUTH_HELPER_SOCKET: '/run/hostauth/helper.sock',
  };
  expect(readConfig(env)).toEqual({
    host: '0.0.0.0',
    port: 0,
    tls: { cert: '/cert.pem', key: '/key.pem' },
    pamService: 'login',
    helperSocket: '/run/hostauth/helper.sock',
    users: 'off',
    adminGroup: 'wheel',
    idleMs: 1000,
    maxMs: 2000,
    slots: 3,
    perUser: 4,
    failures: 5,
    addressFailures: 6,
    trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'],
    appHosts: ['wiki.example.org', 'localhost:8443', '[::1]:8443'],
  });
});

test.each([
  ['HOSTAUTH_PORT', ['65536', '-1', '1.5', 'http', ' 80', '1e3']],
  ['HOSTAUTH_IDLE_S', ['0', '-1', 'Infinity', '31536001', '15m']],
  ['HOSTAUTH_MAX_S', ['0', 'never']],
  ['HOSTAUTH_SLOTS', ['0', '1000001']],
  ['HOSTAUTH_PER_USER', ['0', 'all']],
  ['HOSTAUTH_FAILURES', ['0', '10/min']],
  ['HOSTAUTH_ADDRESS_FAILURES', ['0', 'none']],
  [
    'HOSTAUTH_TRUSTED_PROXIES',
    ['true', ',', '10.0.0.256', '10.0.0.1:80', '10.0.0.0/33', '10.0.0.0/0', '::/129', 'fe80::1%eth0'],
  ],
  ['HOSTAUTH_APP_HOSTS', [',', 'https://wiki.example.org', '*.example.org', 'wiki/', 'wiki:x', 'a b']],
  ['HOSTAUTH_USERS', ['yes', 'Admin', 'true']],
  ['HOSTAUTH_HOST', ['http://127.0.0.1', 'a b', '*']],
  ['HOSTAUTH_ADMIN_GROUP', ['-sudo', 'a b', 'sudo,adm']],
])(
  'contract §8 bad settings: rejects a bad %s with one line that names it and shows the value',
  (name, values) => {
    for (const value of values) {
      const message = messageOf({ [name]: value, ...TLS });
      expect(message).toMatch(new RegExp(`^${name} takes .+, not "[^\n]+"$`));
      expect(message).toContain(JSON.stringify(value));
    }
  },
);

test('contract §8 host: rejects a host other than loopback without TLS, and names the missing settings; rejects half of TLS', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.2', 'example.org', '127.0.0.1.example.org']) {
    expect(messageOf({ HOSTAUTH_HOST: host })).toBe(
      `HOSTAUTH_HOST=${host} is not loopback: set HOSTAUTH_TLS_CERT and HOSTAUTH_TLS_KEY to PEM files`,
    );
    expect(messageOf({ HOSTAUTH_HOST: host, ...TLS })).toBe('no error');
  }
  const half = 'HOSTAUTH_TLS_CERT and HOSTAUTH_TLS_KEY go together: set both, or neither';
  for (const [name, value] of Object.entries(TLS)) expect(messageOf({ [name]: value })).toBe(half);
});

test('counts only addresses of this machine as loopback', () => {
  expect(['127.0.0.1', '127.8.8.8', '::1', 'localhost'].map(isLoopback)).not.toContain(false);
  expect(['127.evil.example', '::', '128.0.0.1', 'localhost.example'].map(isLoopback)).not.toContain(true);
});
