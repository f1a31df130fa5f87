import { expect, test } from 'vitest';
import { menuItems } from './AppMenu.tsx';
import { readAssistantForm } from '../dialogs/Assistant.tsx';

const PROGRAM = ['Settings…', 'Copy diagnostics', 'Delete my data…', 'About Parley'];
const COPIES = ['Export the conversation…', 'Print…'];
const TOOLS = ['Save this session', 'Inspect this session'];

test.each([
  [false, true, [PROGRAM]],
  [true, false, [['Find…'], COPIES, TOOLS, PROGRAM]],
  [true, true, [['Find…', 'Reconnect'], COPIES, TOOLS, PROGRAM]],
])(
  'returns the groups when signed in is %s and closed for a reason is %s, with those of the zoom in Electron: %j',
  (isSignedIn, isClosed, expected) => {
    const groupsIn = (isElectron: boolean) =>
      menuItems({ isSignedIn, canFind: isSignedIn, isClosed, isElectron }).map((group) =>
        group.map(({ label }) => label),
      );
    expect(groupsIn(false)).toEqual(expected);
    expect(groupsIn(true)).toContainEqual(['Zoom in', 'Zoom out', 'Actual size']);
  },
);

const shortcuts = (isElectron: boolean) =>
  menuItems({ isSignedIn: true, canFind: true, isClosed: true, isElectron })
    .flat()
    .flatMap(({ shortcut }) => shortcut ?? []);

test('shows the keys of the application menu in Electron only, and those of the window everywhere', () => {
  const keys = ['F', 'Shift+R', 'P', '+', '-', '0', 'S', 'I', ','].map((key) => `Ctrl+${key}`);
  expect(shortcuts(true)).toEqual(keys);
  expect(shortcuts(false)).toEqual(['Ctrl+F', 'Ctrl+P']);
});

/** Returns the data of a form with these fields. */
function formWith(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

test('reads the fields without spaces around them; an empty one is null', () => {
  const data = formWith({ url: ' http://a/v1 ', model: ' ', key: 'sk-1\n', prompt: 'Be short.\nAlways.' });
  expect(readAssistantForm(data, true)).toEqual({
    url: 'http://a/v1',
    model: null,
    key: 'sk-1',
    prompt: 'Be short.\nAlways.',
    keepsKey: false,
  });
});

test('keeps the stored key when none was entered, unless it is to be removed', () => {
  const data = formWith({ url: 'http://a', key: '' });
  expect(readAssistantForm(data, true)).toMatchObject({ key: null, keepsKey: true });
  expect(readAssistantForm(data, false)).toMatchObject({ key: null, keepsKey: false });
  data.set('removesKey', 'on');
  expect(readAssistantForm(data, true)).toMatchObject({ key: null, keepsKey: false });
});
