import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

function read(argv: readonly string[]) {
  const written = { out: '', err: '' };
  const options = readOptions(argv, {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  });
  return { options, ...written };
}

test('returns no port and no folder without arguments', () => {
  expect(read([])).toEqual({ options: { port: null, dataDir: null, host: {} }, out: '', err: '' });
});

test('parses a port and a folder', () => {
  expect(read(['--port', '0', '--data-dir=here']).options).toMatchObject({ port: 0, dataDir: 'here' });
  expect(read(['--port=65535']).options).toMatchObject({ port: 65_535, dataDir: null });
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
  [['start'], 'too many arguments'],
])('rejects %j with exit code 2 and one line that says what is wrong', (argv, words) => {
  const { options, out, err } = read(argv);
  expect({ options, out }).toEqual({ options: { exitCode: 2 }, out: '' });
  expect(err).toMatch(/^[^\n]+\n$/);
  expect(err).toContain(words);
});

test('contract §1 help: lists the options for --help and exits with 0', () => {
  const { options, out, err } = read(['--help']);
  expect({ options, err }).toEqual({ options: { exitCode: 0 }, err: '' });
  expect(out).toContain('--port <n>');
  expect(out).toContain('--data-dir <dir>');
  expect(out).toContain('PARLEY_ASSISTANT_URL');
});
