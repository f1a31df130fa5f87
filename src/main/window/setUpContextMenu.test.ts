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

/** Clicks at a place of a page with the right button; returns the menu, and what its entries did. */
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
  const choose = (label: string) => {
    // The tested entries use none of the arguments.
    const click: unknown = menu.find((entry) => entry.label === label)?.click;
    if (typeof click === 'function') click();
  };
  return { labels, choose, done };
}

test.each([
  ['a selection', { selectionText: 'words' }, ['copy', 'selectAll']],
  ['a field', { isEditable: true }, ['undo', '(redo)', 'separator', 'cut', 'copy', 'paste', 'selectAll']],
  [
    'a misspelled word',
    { isEditable: true, misspelledWord: 'wrods', dictionarySuggestions: ['words', 'wards'] },
    ['words', 'wards', 'separator', 'undo', '(redo)', 'separator', 'cut', 'copy', 'paste', 'selectAll'],
  ],
  ['a link', { linkURL: 'https://good.example/' }, ['Copy link address', 'separator', 'selectAll']],
  ['an address', { linkURL: 'mailto:ada@good.example' }, ['Copy email address', 'separator', 'selectAll']],
  ['a file', { linkURL: 'blob:parley://app/1' }, ['selectAll']],
  [
    'an image',
    { mediaType: 'image', hasImageContents: true, srcURL: 'data:image/png;base64,YQ==' },
    ['Copy image', 'Save image…', 'separator', 'selectAll'],
  ],
  ['an image that is not loaded', { mediaType: 'image' }, ['selectAll']],
] satisfies [string, Partial<ContextMenuParams>, string[]][])(
  'offers for %s what people expect',
  async (_, place, labels) => {
    expect((await clickAt(place)).labels).toEqual(labels);
  },
);

test.each([
  ['Copy link address', { linkURL: 'https://good.example/' }, ['copied', 'https://good.example/']],
  ['Copy email address', { linkURL: 'mailto:ada@good.example' }, ['copied', 'ada@good.example']],
  ['Copy image', { mediaType: 'image', hasImageContents: true }, ['copied the image at', 3, 4]],
  ['Save image…', { mediaType: 'image', hasImageContents: true, srcURL: '/b/1' }, ['downloaded', '/b/1']],
  [
    'words',
    { isEditable: true, misspelledWord: 'w', dictionarySuggestions: ['words'] },
    ['replaced', 'words'],
  ],
] satisfies [string, Partial<ContextMenuParams>, unknown[]][])(
  'does what %s says',
  async (label, place, expected) => {
    const { choose, done } = await clickAt(place);
    choose(label);
    expect(done.slice(1)).toEqual([expected]);
  },
);

/**
 * Announces a download so many times like the session; returns whether it was prevented, its dialogs, and the notes after its end.
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
