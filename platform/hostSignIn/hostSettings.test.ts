import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { HostSettingsError, readHostSettings } from './hostSettings.ts';

const read = (url: string, name = 'box') =>
  readHostSettings({ PARLEY_PLATFORM_HOSTAUTH: url, PARLEY_PLATFORM_HOST_NAME: name });

test('returns null without an address, also for an empty one', () => {
  expect([readHostSettings({}), read('', '')]).toEqual([null, null]);
});

test.each([
  ['http://127.0.0.1:4320', 'http://127.0.0.1:4320', true],
  ['http://127.1.2.3:80/', 'http://127.1.2.3', true],
  ['http://LOCALHOST:4320/', 'http://localhost:4320', true],
  ['http://[::1]:4320', 'http://[::1]:4320', true],
  ['https://auth.example.org/hostauth/', 'https://auth.example.org/hostauth', false],
])('accepts %s', (given, url, isLocal) => {
  expect(read(given)).toEqual({ url, isLocal, hostName: 'box' });
});

test.each([
  ['http://auth.example.org', 'https'],
  ['http://127.0.0.1.example.org', 'https'],
  ['http://10.0.0.1:4320', 'https'],
  ['https://ada:secret@auth.example.org', 'without a user'],
  ['https://auth.example.org/?token=secret', 'without a user, a query'],
  ['ftp://127.0.0.1', 'http://127.0.0.1:4320'],
  ['127.0.0.1:4320', 'http://127.0.0.1:4320'],
])('refuses %s with one line that names the variable and does not repeat the value', (given, words) => {
  expect(() => read(given)).toThrow(HostSettingsError);
  expect(() => read(given)).toThrow(/^PARLEY_PLATFORM_HOSTAUTH [^\n]+$/);
  expect(() => read(given)).toThrow(words);
  expect(() => read(given)).not.toThrow('secret');
});

test('uses the options of the command line before the environment, and names them in errors', () => {
  const environment = {
    PARLEY_PLATFORM_HOSTAUTH: 'http://127.0.0.1:1',
    PARLEY_PLATFORM_HOST_NAME: 'environment',
  };
  expect(readHostSettings(environment, { hostauth: 'http://127.0.0.1:2', hostName: 'Option' })).toEqual({
    url: 'http://127.0.0.1:2',
    isLocal: true,
    hostName: 'option',
  });
  expect(() => readHostSettings({}, { hostauth: 'x' })).toThrow(/^--hostauth takes/);
  expect(() => readHostSettings(environment, { hostName: 'a b' })).toThrow(/^--host-name takes/);
});

test('uses the name of this machine when none is set', () => {
  expect(read('http://127.0.0.1:4320', '')?.hostName).toBe(hostname().toLowerCase());
});

test('refuses a name of the machine without an address of hostauth', () => {
  expect(() => read('')).toThrow('PARLEY_PLATFORM_HOST_NAME needs PARLEY_PLATFORM_HOSTAUTH');
});
