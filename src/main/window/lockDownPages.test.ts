import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { virtualClock } from '#shared/clock.ts';
import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';

function mockElectron(electron: object): void {
  vi.resetModules();
  vi.doMock('electron', () => electron);
}

async function lockedPage() {
  const app = new EventEmitter();
  const opened: string[] = [];
  mockElectron({ app, shell: { openExternal: async (url: string) => opened.push(url) } });
  const { lockDownPages } = await import('./lockDownPages.ts');
  const clock = virtualClock();
  lockDownPages(clock);

  let answer: ((details: { url: string }) => { action: string }) | undefined;
  const setWindowOpenHandler = (handler: typeof answer) => (answer = handler);
  const contents = Object.assign(new EventEmitter(), { setWindowOpenHandler });
  app.emit('web-contents-created', {}, contents);
  return {
    clock,
    opened,
    open: (url: string) => answer?.({ url }).action,
    input: (type: string) => contents.emit('input-event', {}, { type }),
    key: (type: string, key: string) => contents.emit('before-input-event', {}, { type, key }),
    isPrevented(name: string): boolean {
      const preventDefault = vi.fn<() => void>();
      contents.emit(name, { preventDefault }, 'https://good.example/');
      return preventDefault.mock.calls.length === 1;
    },
  };
}

const GOOD = 'https://good.example/';

test('prevents every navigation; opens addresses of the web and of mail in the system, not in a window, one for a click, a tap or Enter, and none without one, or more than a second after it', async () => {
  const { clock, input, key, open, opened, isPrevented } = await lockedPage();
  const names = ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview'];
  expect(names.filter((name) => !isPrevented(name))).toEqual([]);
  const permitted = ['http://good.example/', GOOD, 'mailto:someone@good.example', 'HTTPS://good.example/'];
  const ours = ['blob:parley://app/1', 'parley://app/index.html', 'about:blank', '//good.example/', ''];
  const other = ['javascript:alert(1)', 'data:text/html,x', 'ms-msdt:/id'];
  for (const url of [...permitted, ...ours, 'file:///etc/passwd', 'smb://evil.example', ...other]) {
    input('mouseUp');
    expect(open(url)).toBe('deny');
  }
  expect(opened.splice(0)).toEqual(permitted);
  input('mouseUp');
  clock.advance(1001);
  expect(open(GOOD)).toBe('deny');
  for (const type of ['mouseMove', 'mouseWheel', 'mouseDown', 'keyDown', 'char']) input(type);
  key('keyDown', 'a');
  key('keyUp', 'Enter');
  expect(open(GOOD)).toBe('deny');
  for (const press of [() => input('mouseUp'), () => input('gestureTap'), () => key('keyDown', 'Enter')]) {
    press();
    clock.advance(1000);
    for (const url of ['about:blank', GOOD, GOOD]) open(url);
  }
  expect(opened).toEqual([GOOD, GOOD, GOOD]);
});

type Answer = (isAllowed: boolean) => void;
type Details = { readonly kinds: string[]; readonly isMainFrame: boolean };

async function permissions(isAudioOn: boolean) {
  let request: ((...args: [null, string, Answer, object]) => void) | undefined;
  let check: ((...args: [null, string, string, object]) => boolean) | undefined;
  const defaultSession = {
    setPermissionRequestHandler: (handler: typeof request) => (request = handler),
    setPermissionCheckHandler: (handler: typeof check) => (check = handler),
  };
  mockElectron({ protocol: {}, session: { defaultSession } });
  const { setUpPermissions } = await import('./lockDownPages.ts');
  setUpPermissions(() => isAudioOn);
  return {
    check: (permission: string, origin: string, details: object) =>
      check?.(null, permission, origin, details),
    ask(permission: string, details: object) {
      const answer = vi.fn<Answer>();
      request?.(null, permission, answer, details);
      return answer.mock.calls;
    },
  };
}

test('allows only the main frame of our own page to copy text, and to use the microphone, without a camera, when audio is on', async () => {
  const ours = ['parley://app', 'parley://app/', 'parley://app/index.html'];
  const urls = [...ours, 'parley://apple/index.html', 'https://evil.example/', 'https://evil.example'];
  const others = ['clipboard-read', 'geolocation', 'notifications', 'display-capture'];
  for (const isAudioOn of [true, false]) {
    const { ask, check } = await permissions(isAudioOn);
    const expectBoth = (permission: string, url: string, { kinds, isMainFrame }: Details) => {
      const isMicrophone = permission === 'media' && kinds.join() === 'audio';
      const isAllowed = permission === 'clipboard-sanitized-write' || (isMicrophone && isAudioOn);
      const answer = isAllowed && isMainFrame && ours.includes(url);
      const media = kinds.length > 0 && { mediaTypes: kinds, mediaType: kinds.at(-1) };
      const details = { requestingUrl: url, isMainFrame, ...media };
      expect([ask(permission, details), check(permission, url, details)]).toEqual([[[answer]], answer]);
    };
    for (const permission of ['media', 'clipboard-sanitized-write', ...others])
      for (const url of urls)
        for (const kinds of [['audio'], ['video'], ['audio', 'video'], []])
          for (const isMainFrame of [true, false]) expectBoth(permission, url, { kinds, isMainFrame });
  }
});

const FLAGS = ['canUndo', 'canRedo', 'canCut', 'canCopy', 'canPaste', 'canSelectAll'];
const only = (can: string) => Object(Object.fromEntries(FLAGS.map((flag) => [flag, flag === can])));
/** Text that is neither selected nor in a field, where nothing can be done. */
const PLACE = { misspelledWord: '', selectionText: '', linkURL: '', editFlags: only('nothing') };

async function clickAt(place: Partial<ContextMenuParams>) {
  const app = new EventEmitter();
  const done: unknown[] = [];
  const note = (what: string) => done.push.bind(done, what);
  let menu: MenuItemConstructorOptions[] = [];
  const popup = vi.fn<(options: object) => void>();
  const buildFromTemplate = (template: MenuItemConstructorOptions[]) => {
    menu = template;
    return { popup };
  };
  mockElectron({
    app,
    protocol: {},
    session: {},
    clipboard: { writeText: note('copied') },
    BrowserWindow: { fromWebContents: () => 'the window' },
    Menu: { buildFromTemplate },
  });
  const { setUpContextMenu } = await import('./setUpContextMenu.ts');
  setUpContextMenu();
  const acts = { replaceMisspelling: note('replaced'), copyImageAt: note('copied') };
  const contents = Object.assign(new EventEmitter(), { ...acts, downloadURL: note('downloaded') });
  app.emit('web-contents-created', {}, contents);
  contents.emit('context-menu', {}, { ...PLACE, x: 3, y: 4, menuSourceType: 'touch', ...place });
  expect(popup.mock.calls).toEqual([[{ window: 'the window', x: 3, y: 4, sourceType: 'touch' }]]);
  const labels = menu.map(({ role, label, type, enabled }) => {
    const name = role ?? label ?? type ?? '';
    return enabled === undefined ? name : `${name} (${enabled ? 'on' : 'off'})`;
  });
  for (const { click } of menu) {
    // The entries use none of the arguments.
    const choose: unknown = click;
    if (typeof choose === 'function') choose();
  }
  return { labels, done };
}

const FIELD = { isEditable: true };
const WORD = { ...FIELD, misspelledWord: 'wrods', dictionarySuggestions: ['words', 'swords'] };

const CLICKED: Readonly<Record<string, Partial<ContextMenuParams>>> = {
  'a selection': { selectionText: 'words' },
  ...Object.fromEntries(FLAGS.map((flag) => [`a field that ${flag}`, { ...FIELD, editFlags: only(flag) }])),
  'a misspelled word': WORD,
  'an unknown word': { ...WORD, dictionarySuggestions: [] },
  'a link': { linkURL: GOOD },
  'an address': { linkURL: 'MailTo:a@b.org' },
  'a file': { linkURL: 'blob:parley://app/1' },
  'an image': { mediaType: 'image', hasImageContents: true, srcURL: '/blob/1?a' },
  'an image that is not loaded': { mediaType: 'image' },
};

test('offers at each place what people expect, and does it', async () => {
  let text = '';
  for (const [what, place] of Object.entries(CLICKED)) {
    const { labels, done } = await clickAt(place);
    text += `${what}: ${labels.join(', ')}\n  ${JSON.stringify(done)}\n`;
  }
  await expect(text).toMatchFileSnapshot('testing/contextMenu.txt');
});

test('serves a blob at our own host only', async () => {
  const handle = vi.fn<(scheme: string, answer: (request: { url: string }) => Promise<Response>) => void>();
  mockElectron({ protocol: { handle } });
  const { servePages } = await import('./servePages.ts');
  servePages({ renderer: '/none', inspector: '/none' }, { theme: () => 'dark', blob: () => new Response() });
  const ask = (host: string) => handle.mock.lastCall?.[1]({ url: `parley://${host}/blob/1` });
  expect([await ask('app'), await ask('apple')]).toMatchObject([{ status: 200 }, { status: 404 }]);
});

type Download = Parameters<typeof download>[1];
const of = (name: string, options: Download = {}) => ({ name, options });

/** Announces a download, as often as the session does; main itself downloads the `requested` address. */
async function download(
  name: string,
  { origin = 'parley://app', end = 'completed', requested = '', times = 1 } = {},
) {
  const defaultSession = new EventEmitter();
  mockElectron({ protocol: {}, session: { defaultSession } });
  const { saveFor, setUpDownloads } = await import('./setUpContextMenu.ts');
  const notes: string[] = [];
  const dispatched: unknown[] = [];
  const dispatch = <A>(action: A): A => (dispatched.push(action), action);
  setUpDownloads({ notify: (text) => void notes.push(text), store: { dispatch } });
  if (requested !== '') saveFor(Object({ downloadURL() {} }), requested);
  const preventDefault = vi.fn<() => void>();
  const dialogs: object[] = [];
  // Has no other methods: setting a path or opening the file would throw.
  const ended = new EventEmitter();
  const item = {
    once: ended.once.bind(ended),
    getInitiatorOrigin: () => origin,
    getURL: () => 'parley://app/blob/1',
    getFilename: () => name,
    setSaveDialogOptions: (options: object) => void dialogs.push(options),
  };
  for (let count = 0; count < times; count++) defaultSession.emit('will-download', { preventDefault }, item);
  ended.emit('done', {}, end);
  return { isPrevented: preventDefault.mock.calls.length > 0, dialogs, notes, dispatched };
}

test('suggests a safe name for a file; refuses a download that another origin, or none, started, but not one that main began for the person, once; shows a note after one that was interrupted, not cancelled', async () => {
  const saved = { origin: '', requested: 'parley://app/blob/1' };
  let text = '';
  for (const { name, options } of [
    of('/invoice\u202Efdp.exe'),
    ...['https://evil.example', '', 'parley://app.evil.example'].map((origin) => of('a', { origin })),
    of('a.png', saved),
    of('a.png', { ...saved, times: 2 }),
    of('a.png', { ...saved, requested: 'parley://app/blob/2' }),
    ...['interrupted', 'cancelled'].map((end) => of('a.html', { end })),
  ])
    text += `${encodeURI(name)} ${JSON.stringify(options)}\n  ${JSON.stringify(await download(name, options))}\n`;
  await expect(text).toMatchFileSnapshot('testing/downloads.txt');
});
