import { expect, test } from 'vitest';
import { type Environment, SettingsError, plainAddresses, readSettings } from './settings.ts';

const API = 'https://api.example.org';
const PLATFORM = 'wss://chat.example.org';
const both = { PARLEY_API_URL: API, PARLEY_PLATFORM_URL: PLATFORM };

const DEFAULTS = { platform: null, host: 'auto', port: null, open: true, capture: false, audio: null };

test('contract §2: returns the defaults when no variable is set, and treats an empty one as not set', () => {
  expect(readSettings({})).toEqual(DEFAULTS);
  const names = ['API_URL', 'PLATFORM_URL', 'HOST', 'PORT', 'OPEN', 'CAPTURE', 'AUDIO'];
  expect(readSettings(Object.fromEntries(names.map((name) => [`PARLEY_${name}`, ''])))).toEqual(DEFAULTS);
  expect(plainAddresses(readSettings({}))).toEqual([]);
});

test.each<[string, Environment, object]>([
  ['both addresses', both, { platform: { apiUrl: API, platformUrl: PLATFORM } }],
  ['PARLEY_HOST=electron', { PARLEY_HOST: 'electron' }, { host: 'electron' }],
  ['PARLEY_PORT=65535', { PARLEY_PORT: '65535' }, { port: 65_535 }],
  ['PARLEY_OPEN=0', { PARLEY_OPEN: '0' }, { open: false }],
  ['PARLEY_CAPTURE=1', { PARLEY_CAPTURE: '1' }, { capture: true }],
  ['PARLEY_AUDIO=1', { PARLEY_AUDIO: '1' }, { audio: true }],
  ['PARLEY_AUDIO=0', { PARLEY_AUDIO: '0' }, { audio: false }],
  ['a variable of another program', { PATH: '/bin', PARLEY_CHROMIUM: 'x' }, {}],
])(
  'contract §2 PARLEY_API_URL, PARLEY_PLATFORM_URL, PARLEY_HOST, PARLEY_PORT, PARLEY_OPEN: reads %s',
  (_, environment, expected) => {
    expect(readSettings(environment)).toEqual({ ...DEFAULTS, ...expected });
  },
);

const withAddresses = (api: string, platform: string) =>
  readSettings({ PARLEY_API_URL: api, PARLEY_PLATFORM_URL: platform });

test.each([
  ['http://127.0.0.1:4000/', 'ws://127.0.0.1:4000//', 'http://127.0.0.1:4000', 'ws://127.0.0.1:4000'],
  ['https://x.example/api/', 'wss://x.example/chat/', 'https://x.example/api', 'wss://x.example/chat'],
  ['HTTPS://x.example', 'WSS://x.example', 'HTTPS://x.example', 'WSS://x.example'],
])('contract §2 trailing slash: removes those of %s and %s', (...[api, platform, apiUrl, platformUrl]) => {
  expect(withAddresses(api, platform).platform).toEqual({ apiUrl, platformUrl });
});

test.each<[Environment, string]>([
  [{ PARLEY_HOST: 'browser' }, 'PARLEY_HOST takes electron, web or auto'],
  [{ PARLEY_PORT: '65536' }, 'PARLEY_PORT takes a port, 0 to 65535'],
  [{ PARLEY_OPEN: 'yes' }, 'PARLEY_OPEN takes 0 or 1'],
  [{ PARLEY_CAPTURE: 'true' }, 'PARLEY_CAPTURE takes 0 or 1'],
  [{ PARLEY_AUDIO: '2' }, 'PARLEY_AUDIO takes 0 or 1'],
  [{ ...both, PARLEY_API_URL: 'ws://x.example' }, 'PARLEY_API_URL takes a http: or https: address'],
  [{ ...both, PARLEY_API_URL: 'http://a b' }, 'PARLEY_API_URL takes a http: or https: address'],
  [{ ...both, PARLEY_API_URL: 'http://me:pw@x.example' }, 'PARLEY_API_URL takes a http: or https: address'],
  [{ ...both, PARLEY_API_URL: 'http://x.example?a=b' }, 'PARLEY_API_URL takes a http: or https: address'],
  [{ ...both, PARLEY_PLATFORM_URL: 'https://x.example' }, 'PARLEY_PLATFORM_URL takes a ws: or wss: address'],
])(
  'contract §1 bad usage, §2 bad values: refuses %j and names the variable in one line',
  (environment, message) => {
    expect(() => readSettings(environment)).toThrow(new SettingsError(message));
  },
);

test.each([
  ['PARLEY_PLATFORM_URL', { PARLEY_API_URL: API }],
  ['PARLEY_API_URL', { PARLEY_PLATFORM_URL: PLATFORM }],
  ['PARLEY_API_URL', { PARLEY_PLATFORM_URL: PLATFORM, PARLEY_API_URL: '' }],
])('contract §2 bad values: names the missing %s when only the other address is set', (name, environment) => {
  expect(() => readSettings(environment)).toThrow(SettingsError);
  expect(() => readSettings(environment)).toThrow(new RegExp(`^${name} is missing.*$`));
});

test.each([
  ['http://x.example', 'ws://x.example', ['PARLEY_API_URL', 'PARLEY_PLATFORM_URL']],
  ['https://x.example', 'WS://x.example', ['PARLEY_PLATFORM_URL']],
  ['https://x.example', 'wss://x.example', []],
  ['http://localhost:80', 'ws://127.0.0.1', []],
  ['http://127.8.9.1/x', 'ws://[::1]:90/y', []],
  ['http://localhost.example.org', 'ws://127.0.0.1.example.org', ['PARLEY_API_URL', 'PARLEY_PLATFORM_URL']],
  ['http://192.168.0.1', 'ws://[fe80::1]', ['PARLEY_API_URL', 'PARLEY_PLATFORM_URL']],
])('contract §2 plain address: for %s and %s, returns %j', (apiUrl, platformUrl, names) => {
  expect(plainAddresses(withAddresses(apiUrl, platformUrl))).toEqual(names);
});
