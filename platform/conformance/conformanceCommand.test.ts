import { expect, test, afterAll, beforeAll, describe } from 'vitest';
import {
  runCommand,
  startBuiltIn,
  type Fault,
  type StartedProgram,
  startRightPlatform,
  testFault,
} from './testing/startFaultyPlatform.ts';

const QUICK =
  'identifier,login,login-name,wrong-password,snapshot,pong,unauthorized,two-clients,reconnect,isolation,echo-text,echo-image,frames,ids';

test('the built-in platform passes the checks that take no time', async () => {
  const { status, out, err } = await runCommand([`${await startBuiltIn()}/`, '--only', QUICK]);
  expect(out).toMatch(/\n\n14 checks: 14 ok, 0 failed, 0 not tested\n$/);
  expect(out).toMatch(/^spec §4\.1 +identifier +ok {10}the answer to credentials/m);
  expect({ status, err }).toEqual({ status: 0, err: '' });
});

test('prints one JSON document with the addresses, the counts and each check', async () => {
  const apiUrl = await startBuiltIn();
  const { status, out } = await runCommand([apiUrl, '--json', '--only', 'person,revoked']);
  expect(status).toBe(0);
  expect(JSON.parse(out)).toEqual({
    apiUrl,
    platformUrl: apiUrl.replace('http:', 'ws:'),
    ok: 1,
    failed: 0,
    notTested: 1,
    checks: [
      { id: 'person', row: 'spec §2.6 person', checks: expect.any(String), result: 'ok' },
      {
        id: 'revoked',
        row: 'spec §5.1',
        checks: expect.any(String),
        result: 'notTested',
        why: expect.any(String),
      },
    ],
  });
});

test('contract §1 signals: an interrupted test reports what it has tested, and exits with the signal’s status', async () => {
  const { status, out } = await runCommand([await startBuiltIn()], { signal: AbortSignal.abort(143) });
  expect(status).toBe(143);
  expect(out).toContain('the test was interrupted');
});

test.each([
  [[], "missing required argument 'url'"],
  [['ftp://127.0.0.1'], 'It takes an address that begins with http:// or https://'],
  [['http://127.0.0.1:4311', '--platform-url', 'http://127.0.0.1'], 'begins with ws:// or wss://'],
  [['http://127.0.0.1:4311', '--email', 'ada@example.org'], '--email and --password need each other'],
  [['http://127.0.0.1:4311', '--only', 'person,none'], 'It takes ids of checks'],
  [
    ['http://127.0.0.1:2'],
    'cannot reach http://127.0.0.1:2 (ECONNREFUSED): start the platform, or name another address',
  ],
])('contract §1 bad usage: %j gives one line on stderr and exit 2', async (argv, words) => {
  const { status, out, err } = await runCommand(argv);
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toContain(words);
});

test('exits with 2 and one line without the credentials, when the platform refuses them', async () => {
  const argv = ['--email', 'ada@example.org', '--password', 'engine1843!'];
  const { status, err } = await runCommand([await startBuiltIn(), ...argv]);
  expect(status).toBe(2);
  expect(err).toBe(
    'the platform refuses this email and password (status 401, with a text): name another account\n',
  );
});

test('contract §1 help: lists the options and exits with 0', async () => {
  const { status, out } = await runCommand(['--help']);
  expect(status).toBe(0);
  for (const option of ['--platform-url', '--email', '--password', '--say', '--only', '--json'])
    expect(out).toContain(option);
});

describe('a platform with a fault', () => {
  let right: StartedProgram;
  beforeAll(async () => (right = await startRightPlatform()));
  afterAll(() => right.stop());

  test('says what was seen and what is expected', async () => {
    const fault: Fault = { closeReason: () => '' };
    const [row] = await testFault(right, { fault, only: ['unauthorized'], timeoutMs: 10_000 });
    expect(row?.outcome).toEqual({
      result: 'failed',
      seen: 'a close with code 4401 and an empty reason',
      expected: 'an accepted upgrade, then a close with the reason `unauthorized`',
    });
  });
});
