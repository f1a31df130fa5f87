import { EventEmitter } from 'node:events';
import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron';
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

test('shows the menu at the place, in its window', async () => {
  const { labels, done } = await clickAt({});
  expect(done).toEqual([['popup', { window: 'the window', x: 3, y: 4, sourceType: 'mouse' }]]);
  expect(labels).toEqual(['selectAll']);
});

test.each([
  ['a selection', { selectionText: 'words' }, ['copy', 'selectAll']],
  ['a field', { isEditable: true }, ['undo', '(redo)', 'separator', 'cut', 'copy', 'paste', 'selectAll']],
  [
    'a misspelled word',
    { isEditable: true, misspelledWord: 'wrods', dictionarySuggestions: ['words', 'wards'] },
    ['words', 'wards', 'separator', 'undo', '(redo)', 'separator', 'cut', 'copy', 'paste', 'selectAll'],
  ],
  [
    'a misspelled word without suggestions',
    { isEditable: true, misspelledWord: 'wrods' },
    ['(No suggestions)', 'separator', 'undo', '(redo)', 'separator', 'cut', 'copy', 'paste', 'selectAll'],
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
  [
    'Save image…',
    { mediaType: 'image', hasImageContents: true, srcURL: '/blob/1' },
    ['downloaded', '/blob/1'],
  ],
  [
    'words',
    { isEditable: true, misspelledWord: 'wrods', dictionarySuggestions: ['words'] },
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
