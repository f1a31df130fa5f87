import { expect, test } from 'vitest';
import { SettingsError } from '#shared/settings.ts';
import { readPlatformLimits } from './platformLimits.ts';

test('returns the defaults without variables', () => {
  expect(readPlatformLimits({ PARLEY_PLATFORM_MESSAGE_BYTES: '' })).toEqual({
    messagesPerMinute: 120,
    messageBytes: 2_000_000,
    wrongPasswords: 5,
    registrationsPerHour: 200,
  });
});

test('reads each variable', () => {
  const limits = readPlatformLimits({
    PARLEY_PLATFORM_MESSAGES_PER_MINUTE: '30',
    PARLEY_PLATFORM_MESSAGE_BYTES: '1000',
    PARLEY_PLATFORM_WRONG_PASSWORDS: '3',
    PARLEY_PLATFORM_REGISTRATIONS_PER_HOUR: '9',
  });
  expect(limits).toEqual({
    messagesPerMinute: 30,
    messageBytes: 1000,
    wrongPasswords: 3,
    registrationsPerHour: 9,
  });
});

test.each([
  ['PARLEY_PLATFORM_MESSAGES_PER_MINUTE', '0', 'a whole number, 1 to 1000000'],
  ['PARLEY_PLATFORM_MESSAGES_PER_MINUTE', 'many', 'a whole number, 1 to 1000000'],
  ['PARLEY_PLATFORM_MESSAGE_BYTES', '999', 'a whole number, 1000 to 2000000'],
  ['PARLEY_PLATFORM_MESSAGE_BYTES', '2000001', 'a whole number, 1000 to 2000000'],
  ['PARLEY_PLATFORM_WRONG_PASSWORDS', '1.5', 'a whole number, 1 to 1000'],
  ['PARLEY_PLATFORM_WRONG_PASSWORDS', '-1', 'a whole number, 1 to 1000'],
  ['PARLEY_PLATFORM_REGISTRATIONS_PER_HOUR', '0', 'a whole number, 1 to 1000000'],
])('rejects %s=%s with one line that names it', (variable, value, range) => {
  const read = () => readPlatformLimits({ [variable]: value });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(`${variable} takes ${range}`);
});
