import { EventEmitter } from 'node:events';
import type { ContextMenuParams, MenuItemConstructorOptions, WebContents } from 'electron';
import { expect, test, vi } from 'vitest';
import type { ClickedPlace } from './setUpContextMenu.ts';

/** Text that is neither selected nor in a field. */
const PLACE: ClickedPlace = {
  isEditable: false,
  misspelledWord: '',
  dictionarySuggestions: [],
  selectionText: '',
  linkURL: '',
  mediaType: 'none',
  hasImageContents: false,
  srcURL: '',
  editFlags: {
    canUndo: true,
    canRedo: false,
    canCut: true,
    canCopy: true,
    canPaste: true,
    canDelete: true,
    canSelectAll: true,
    canEditRichly: false,
  },
};

/** Clicks at a place of a page with the right button; returns the menu, and what its entries do. */
async function clickAt(place: Partial<ContextMenuParams>) {
  const app = new EventEmitter();
  const done: unknown[][] = [];
  const note =
    (what: string) =>
    (...args: unknown[]) =>
      void done.push([what, ...args]);
  let menu: MenuItemConstructorOptions[] = [];
  vi.resetModules();
  vi.doMock('electron', () => ({
    app,
    protocol: {},
    session: {},
    clipboard: { writeText: note('copied') },
    BrowserWindow: { fromWebContents: () => 'the window' },
    Menu: {
      buildFromTemplate(template: MenuItemConstructorOptions[]) {
        menu = template;
        return { popup: note('popup') };
      },
    },
  }));
  const { setUpContextMenu } = await import('./setUpContextMenu.ts');
  setUpContextMenu();
  const contents = Object.assign(new EventEmitter(), {
    replaceMisspelling: note('replaced'),
    copyImageAt: note('copied the image at'),
    downloadURL: note('downloaded'),
  });
  app.emit('web-contents-created', {}, contents);
  contents.emit('context-menu', {}, { ...PLACE, x: 3, y: 4, menuSourceType: 'mouse', ...place });
  const labels = menu.map(({ role, label, type, enabled }) => {
    const name = role ?? label ?? type ?? '';
    return enabled === false ? `(${name})` : name;
  });
  for (const { click } of menu) {
    // The entries use none of the arguments.
    const choose: unknown = click;
    if (typeof choose === 'function') choose();
  }
  return { labels, done: done.slice(1) };
}

const IMAGE = { mediaType: 'image', hasImageContents: true, srcURL: '/blob/1' } as const;
const EDIT = ['undo', '(redo)', 'separator', 'cut', 'copy', 'paste', 'selectAll'];
const WORD = { isEditable: true, misspelledWord: 'wrods', dictionarySuggestions: ['words'] };
const END = ['separator', 'selectAll'];
const LINK = 'https://good.example/';

test.each<[string, Partial<ContextMenuParams>, string[], unknown[]?]>([
  ['a selection', { selectionText: 'words' }, ['copy', 'selectAll']],
  ['a field', { isEditable: true }, EDIT],
  ['a misspelled word', WORD, ['words', 'separator', ...EDIT], [['replaced', 'words']]],
  ['a link', { linkURL: LINK }, ['Copy link address', ...END], [['copied', LINK]]],
  ['an address', { linkURL: 'mailto:a@b.org' }, ['Copy email address', ...END], [['copied', 'a@b.org']]],
  ['a file', { linkURL: 'blob:parley://app/1' }, ['selectAll']],
  [
    'an image',
    IMAGE,
    ['Copy image', 'Save image…', ...END],
    [
      ['copied the image at', 3, 4],
      ['downloaded', '/blob/1'],
    ],
  ],
  ['an image that is not loaded', { mediaType: 'image' }, ['selectAll']],
])('offers for %s what people expect, and does it', async (...[, place, labels, done = []]) => {
  expect(await clickAt(place)).toEqual({ labels, done });
});

/**
 * Announces a download, as often as the session does; returns whether it was prevented, its dialogs, and the notes after its end.
 * @param download.requested the address that main downloads for the person.
 */
async function download(
  name: string,
  { origin = 'parley://app', end = 'completed', requested = '', times = 1 } = {},
) {
  const defaultSession = new EventEmitter();
  vi.resetModules();
  vi.doMock('electron', () => ({ protocol: {}, session: { defaultSession } }));
  const { saveFor, setUpDownloads } = await import('./setUpContextMenu.ts');
  const notes: string[] = [];
  const dispatched: unknown[] = [];
  const dispatch = <A>(action: A): A => (dispatched.push(action), action);
  setUpDownloads({ notify: (text) => void notes.push(text), store: { dispatch } });
  if (requested !== '') {
    const contents = { downloadURL: () => {} };
    // The function uses no other method.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    saveFor(contents as unknown as WebContents, requested);
  }
  const preventDefault = vi.fn<() => void>();
  const dialogs: { defaultPath?: string }[] = [];
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

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../.bashrc', '_.._.bashrc'],
  ['C:\\Windows\\system.ini', 'C__Windows_system.ini'],
  ['invoice\u202Efdp.exe', 'invoiceU+202Efdp.exe'],
  ['', 'file'],
])('suggests for %j the file name %j', async (name, defaultPath) => {
  expect(await download(name)).toMatchObject({ isPrevented: false, dialogs: [{ defaultPath }], notes: [] });
});

test.each(['https://evil.example', '', 'parley://app.evil.example'])(
  'refuses a download that was started by %j',
  async (origin) => {
    const nothing = { dialogs: [], notes: [], dispatched: [] };
    expect(await download('report.pdf', { origin })).toEqual({ isPrevented: true, ...nothing });
  },
);

test.each([
  [
    'interrupted',
    ['a.html could not be saved. Check the folder and the space on its disk, then save it again.'],
  ],
  ['cancelled', []],
])('after a download that was %s, shows the notes %j', async (end, notes) => {
  expect((await download('a.html', { end })).notes).toEqual(notes);
});

test('allows a download that main began for the person once, and not another one without an origin', async () => {
  const saved = { origin: '', requested: 'parley://app/blob/1' };
  expect((await download('a.png', saved)).isPrevented).toBe(false);
  expect((await download('a.png', { ...saved, times: 2 })).isPrevented).toBe(true);
  expect((await download('a.png', { origin: '', requested: 'parley://app/blob/2' })).isPrevented).toBe(true);
});
