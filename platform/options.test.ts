import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

function read(argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const written = { out: '', err: '' };
  const options = readOptions(argv, {
    environment,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  });
  return { options, ...written };
}

test('returns no port and no folder without arguments', () => {
  const limits = {
    messagesPerMinute: 120,
    messageBytes: 2_000_000,
    wrongPasswords: 5,
    registrationsPerHour: 200,
  };
  expect(read([])).toEqual({
    options: { port: null, dataDir: null, registration: 'open', host: {}, limits },
    out: '',
    err: '',
  });
});

test('parses a port and a folder', () => {
  expect(read(['--port', '0', '--data-dir=here']).options).toMatchObject({ port: 0, dataDir: 'here' });
  expect(read(['--port=65535']).options).toMatchObject({ port: 65_535, dataDir: null });
});

test('parses who may register', () => {
  expect(read(['--registration', 'owner']).options).toMatchObject({ registration: 'owner' });
});

test('parses the sign-in with the users of this machine', () => {
  const { options } = read(['--hostauth', 'http://127.0.0.1:4320', '--host-name=box']);
  expect(options).toMatchObject({ host: { hostauth: 'http://127.0.0.1:4320', hostName: 'box' } });
});

test.each([
  [['--prot', '1'], "unknown option '--prot'"],
  [['--port', '65536'], "'65536' is invalid. It takes a port, 0 to 65535."],
  [['--port', '-1'], "'-1' is invalid"],
  [['--port', '4e3'], "'4e3' is invalid"],
  [['--port'], "option '--port <n>' argument missing"],
  [['--data-dir', ''], 'It takes a folder.'],
  [['--messages-per-minute', '0'], 'It takes a whole number, 1 to 1000000.'],
  [['--registration', 'closed'], 'Allowed choices are open, owner.'],
  [['start'], 'too many arguments'],
])('rejects %j with exit code 2 and one line that says what is wrong', (argv, words) => {
  const { options, out, err } = read(argv);
  expect({ options, out }).toEqual({ options: { exitCode: 2 }, out: '' });
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toContain(words);
});

test('reads the limits of the options, else of the environment', () => {
  const environment = {
    PARLEY_PLATFORM_MESSAGES_PER_MINUTE: '10',
    PARLEY_PLATFORM_WRONG_PASSWORDS: '3',
  };
  expect(read(['--messages-per-minute', '7', '--message-bytes', '5000'], environment).options).toMatchObject({
    limits: { messagesPerMinute: 7, messageBytes: 5000, wrongPasswords: 3, registrationsPerHour: 200 },
  });
});

test('rejects a bad value of the environment with exit code 2 and one line that names the variable', () => {
  expect(read([], { PARLEY_PLATFORM_MESSAGE_BYTES: 'large' })).toEqual({
    options: { exitCode: 2 },
    out: '',
    err: 'PARLEY_PLATFORM_MESSAGE_BYTES takes a whole number, 1000 to 2000000\n',
  });
});

test('contract §1 help: lists the options for --help and exits with 0', () => {
  const { options, out, err } = read(['--help']);
  expect({ options, err }).toEqual({ options: { exitCode: 0 }, err: '' });
  expect(out).toContain('--port <n>');
  expect(out).toContain('--data-dir <dir>');
  expect(out).toContain('PARLEY_ASSISTANT_URL');
});
