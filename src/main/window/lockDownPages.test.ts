import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { virtualClock } from '#shared/clock.ts';

/** Creates a page as Electron announces it. The addresses that it opens arrive in `opened`. */
async function lockedPage() {
  const app = new EventEmitter();
  const opened: string[] = [];
  vi.resetModules();
  vi.doMock('electron', () => ({ app, shell: { openExternal: async (url: string) => opened.push(url) } }));
  const { lockDownPages } = await import('./lockDownPages.ts');
  const clock = virtualClock();
  lockDownPages(clock);

  let answer: ((details: { url: string }) => { action: string }) | undefined;
  const contents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: typeof answer) => (answer = handler),
  });
  app.emit('web-contents-created', {}, contents);
  return {
    clock,
    opened,
    open: (url: string) => answer?.({ url }).action,
    input: (type: string) => contents.emit('input-event', {}, { type }),
    key: (type: string, key: string) => contents.emit('before-input-event', {}, { type, key }),
    /** Whether what is about to happen was prevented. */
    isPrevented(name: string): boolean {
      const preventDefault = vi.fn<() => void>();
      contents.emit(name, { preventDefault }, 'https://good.example/');
      return preventDefault.mock.calls.length === 1;
    },
  };
}

const GOOD = 'https://good.example/';

test('prevents every navigation', async () => {
  const { isPrevented } = await lockedPage();
  const names = ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'];
  expect(names.filter((name) => !isPrevented(name))).toEqual([]);
});

test('opens addresses of the web and of mail in the system, not in a window, after a click, and no others', async () => {
  const { input, open, opened } = await lockedPage();
  const permitted = ['http://good.example/', GOOD, 'mailto:someone@good.example', 'HTTPS://good.example/'];
  const ours = ['blob:parley://app/1', 'parley://app/index.html', 'about:blank', '//good.example/', ''];
  const foreign = [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'ms-msdt:/id',
    'smb://evil.example',
  ];
  for (const url of [...permitted, ...ours, ...foreign]) {
    input('mouseUp');
    expect(open(url)).toBe('deny');
  }
  expect(opened).toEqual(permitted);
});

test('opens no address without a click, or more than a second after it', async () => {
  const { clock, open, opened, input, key } = await lockedPage();
  expect(open(GOOD)).toBe('deny');
  for (const type of ['mouseMove', 'mouseWheel', 'mouseDown', 'keyDown', 'char']) input(type);
  key('keyDown', 'a');
  key('keyUp', 'Enter');
  expect(open(GOOD)).toBe('deny');
  expect(opened).toEqual([]);
  input('mouseUp');
  clock.advance(1000);
  open(GOOD);
  input('mouseUp');
  clock.advance(1001);
  open('https://late.example/');
  expect(opened).toEqual([GOOD]);
});

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

test('allows our page to copy text, and the microphone only when audio is on', async () => {
  for (const isOn of [true, false]) {
    const { check, ask } = await permissions(isOn);
    expect(ask('media', { mediaTypes: ['audio'], requestingUrl: OURS })).toEqual([[isOn]]);
    for (const origin of ['parley://app', 'parley://app/'])
      expect(check('media', origin, { mediaType: 'audio' })).toBe(isOn);
    expect(ask('clipboard-sanitized-write', { requestingUrl: OURS })).toEqual([[true]]);
    expect(check('clipboard-sanitized-write', 'parley://app/', {})).toBe(true);
  }
});

test('denies every other request and check when audio is on', async () => {
  const { ask, check } = await permissions(true);
  const audio = { mediaTypes: ['audio'], requestingUrl: OURS };
  const requests: [string, object][] = [
    ['media', { ...audio, requestingUrl: 'https://evil.example/' }],
    ['media', { ...audio, requestingUrl: 'parley://apple/index.html' }],
    ['media', { ...audio, isMainFrame: false }],
    ['media', { ...audio, mediaTypes: ['video'] }],
    ['media', { ...audio, mediaTypes: ['audio', 'video'] }],
    ['media', { requestingUrl: OURS }],
    ['geolocation', { requestingUrl: OURS }],
    ['notifications', { requestingUrl: OURS }],
    ['clipboard-read', { requestingUrl: OURS }],
    ['clipboard-sanitized-write', { requestingUrl: 'https://evil.example/' }],
    ['clipboard-sanitized-write', { requestingUrl: OURS, isMainFrame: false }],
    ['display-capture', audio],
  ];
  expect(requests.map(([name, details]) => ask(name, details))).toEqual(requests.map(() => [[false]]));
  const checks: [string, string, object][] = [
    ['media', 'https://evil.example', { mediaType: 'audio' }],
    ['media', 'parley://app', { mediaType: 'video' }],
    ['media', 'parley://app', { mediaType: 'audio', isMainFrame: false }],
    ['media', 'parley://app', {}],
    ['clipboard-read', 'parley://app', {}],
    ['clipboard-sanitized-write', 'https://evil.example', {}],
    ['clipboard-sanitized-write', 'parley://app', { isMainFrame: false }],
  ];
  expect(checks.filter(([name, origin, details]) => check(name, origin, details) !== false)).toEqual([]);
});
