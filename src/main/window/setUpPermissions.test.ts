import { expect, test, vi } from 'vitest';

type Answer = (isAllowed: boolean) => void;

/** Sets up the permissions; returns functions that send requests and checks to the handlers. */
async function permissions(isAudioOn: boolean) {
  let request: ((...args: [null, string, Answer, object]) => void) | undefined;
  let check: ((...args: [null, string, string, object]) => boolean) | undefined;
  vi.resetModules();
  vi.doMock('electron', () => ({
    protocol: {},
    session: {
      defaultSession: {
        setPermissionRequestHandler: (handler: typeof request) => (request = handler),
        setPermissionCheckHandler: (handler: typeof check) => (check = handler),
      },
    },
  }));
  const { setUpPermissions } = await import('./lockDownPages.ts');
  setUpPermissions(() => isAudioOn);
  return {
    check: (permission: string, origin: string, details: object) =>
      check?.(null, permission, origin, { isMainFrame: true, ...details }),
    ask(permission: string, details: object) {
      const answer = vi.fn<Answer>();
      request?.(null, permission, answer, { isMainFrame: true, ...details });
      return answer.mock.calls;
    },
  };
}

const OURS = 'parley://app/index.html';

test('allows our page to copy text, with audio on or off', async () => {
  const { check, ask } = await permissions(false);
  expect(ask('clipboard-sanitized-write', { requestingUrl: OURS })).toEqual([[true]]);
  expect(check('clipboard-sanitized-write', 'parley://app/', {})).toBe(true);
});

test('allows only the microphone to our page when audio is on', async () => {
  const { check, ask } = await permissions(true);
  expect(ask('media', { mediaTypes: ['audio'], requestingUrl: OURS })).toEqual([[true]]);
  expect(check('media', 'parley://app', { mediaType: 'audio' })).toBe(true);
  expect(check('media', 'parley://app/', { mediaType: 'audio' })).toBe(true);
});

test.each([
  ['media', { mediaTypes: ['audio'], requestingUrl: 'https://evil.example/' }],
  ['media', { mediaTypes: ['audio'], requestingUrl: 'parley://apple/index.html' }],
  ['media', { mediaTypes: ['audio'], requestingUrl: OURS, isMainFrame: false }],
  ['media', { mediaTypes: ['video'], requestingUrl: OURS }],
  ['media', { mediaTypes: ['audio', 'video'], requestingUrl: OURS }],
  ['media', { requestingUrl: OURS }],
  ['geolocation', { requestingUrl: OURS }],
  ['notifications', { requestingUrl: OURS }],
  ['clipboard-read', { requestingUrl: OURS }],
  ['clipboard-sanitized-write', { requestingUrl: 'https://evil.example/' }],
  ['clipboard-sanitized-write', { requestingUrl: OURS, isMainFrame: false }],
  ['display-capture', { mediaTypes: ['audio'], requestingUrl: OURS }],
])('denies a request for %s with %j when audio is on', async (permission, details) => {
  expect((await permissions(true)).ask(permission, details)).toEqual([[false]]);
});

test.each([
  ['media', 'https://evil.example', { mediaType: 'audio' }],
  ['media', 'parley://app', { mediaType: 'video' }],
  ['media', 'parley://app', { mediaType: 'audio', isMainFrame: false }],
  ['media', 'parley://app', {}],
  ['clipboard-read', 'parley://app', {}],
  ['clipboard-sanitized-write', 'https://evil.example', {}],
  ['clipboard-sanitized-write', 'parley://app', { isMainFrame: false }],
])('denies a check of %s from %s with %j when audio is on', async (permission, origin, details) => {
  expect((await permissions(true)).check(permission, origin, details)).toBe(false);
});

test('allows nothing when audio is off', async () => {
  const { check, ask } = await permissions(false);
  expect(ask('media', { mediaTypes: ['audio'], requestingUrl: OURS })).toEqual([[false]]);
  expect(check('media', 'parley://app', { mediaType: 'audio' })).toBe(false);
});
