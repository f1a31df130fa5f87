import { expect, test } from 'vitest';
import { readAdminCommand } from './adminCommand.ts';

test('returns null for options of the platform', () => {
  expect(readAdminCommand([])).toBeNull();
  expect(readAdminCommand(['--port', '0'])).toBeNull();
});

test('parses the commands', () => {
  expect(readAdminCommand(['accounts'])).toEqual({ name: 'accounts', dataDir: null });
  expect(readAdminCommand(['revoke', 'a@b.c', '--data-dir', 'x'])).toEqual({
    name: 'revoke',
    email: 'a@b.c',
    dataDir: 'x',
  });
  expect(readAdminCommand(['restore', '--data-dir=x', 'a@b.c'])).toMatchObject({ name: 'restore' });
  expect(readAdminCommand(['revoke', '--help'])).toBe('help');
});

test.each([
  [['accounts', 'more'], 'accounts takes no argument'],
  [['revoke'], 'revoke takes one email'],
  [['restore', 'a@b.c', 'd@e.f'], 'restore takes one email'],
  [['accounts', '--all'], "Unknown option '--all'"],
  [['accounts', '--data-dir', ''], '--data-dir takes a folder'],
])('rejects %j with a message', (argv, message) => {
  const command = readAdminCommand(argv);
  expect(command).toMatchObject({ message: expect.stringContaining(message) });
});
