import { expect, test, vi } from 'vitest';

type Answer = (isAllowed: boolean) => void;

/** What the session was given, and how it answers. */
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
  const { setUpPermissions } = await import('./setUpPermissions.ts');
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

test('our page and voice is on, the microphone alone is allowed', async () => {
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
  ['display-capture', { mediaTypes: ['audio'], requestingUrl: OURS }],
])('voice is on, %s with %j is denied', async (permission, details) => {
  expect((await permissions(true)).ask(permission, details)).toEqual([[false]]);
});

test.each([
  ['media', 'https://evil.example', { mediaType: 'audio' }],
  ['media', 'parley://app', { mediaType: 'video' }],
  ['media', 'parley://app', { mediaType: 'audio', isMainFrame: false }],
  ['media', 'parley://app', {}],
  ['clipboard-read', 'parley://app', {}],
])('voice is on, a check of %s from %s with %j is denied', async (permission, origin, details) => {
  expect((await permissions(true)).check(permission, origin, details)).toBe(false);
});

test('voice is off, nothing is allowed', async () => {
  const { check, ask } = await permissions(false);
  expect(ask('media', { mediaTypes: ['audio'], requestingUrl: OURS })).toEqual([[false]]);
  expect(check('media', 'parley://app', { mediaType: 'audio' })).toBe(false);
});
