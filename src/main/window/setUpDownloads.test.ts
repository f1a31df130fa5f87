import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { expect, test, vi } from 'vitest';
import { downloadEnded } from '#shared/actions/mainActions.ts';

/** A download as the session announces it. */
interface Download {
  readonly origin?: string;
  readonly end?: string;
  /** The address that main downloads for the person. */
  readonly requested?: string;
}

/** Announces a download like the session; returns whether it was prevented, its dialogs, and the notes after its end. */
async function download(
  name: string,
  { origin = 'parley://app', end = 'completed', requested }: Download = {},
) {
  const defaultSession = new EventEmitter();
  vi.resetModules();
  vi.doMock('electron', () => ({ protocol: {}, session: { defaultSession } }));
  const { saveFor, setUpDownloads } = await import('./setUpContextMenu.ts');
  const notes: string[] = [];
  const dispatched: unknown[] = [];
  const store = {
    dispatch<A>(action: A): A {
      dispatched.push(action);
      return action;
    },
  };
  setUpDownloads({ notify: (text) => void notes.push(text), store });
  if (requested !== undefined) {
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
  defaultSession.emit('will-download', { preventDefault }, item);
  ended.emit('done', {}, end);
  return { isPrevented: preventDefault.mock.calls.length > 0, dialogs, notes, dispatched };
}

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../.bashrc', '_.._.bashrc'],
  ['C:\\Windows\\system.ini', 'C__Windows_system.ini'],
  ['invoice\u202Efdp.exe', 'invoiceU+202Efdp.exe'],
  ['CON.txt', '_CON.txt'],
  ['', 'file'],
])('suggests for %j the file name %j', async (name, defaultPath) => {
  expect(await download(name)).toMatchObject({ isPrevented: false, dialogs: [{ defaultPath }], notes: [] });
});

test.each(['https://evil.example', 'null', '', 'parley://apple', 'parley://app.evil.example'])(
  'refuses a download that was started by %j',
  async (origin) => {
    expect(await download('report.pdf', { origin })).toEqual({
      isPrevented: true,
      dialogs: [],
      notes: [],
      dispatched: [],
    });
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

test.each(['completed', 'cancelled', 'interrupted'] as const)(
  'dispatches once that a download ended: %s',
  async (outcome) => {
    const { dispatched } = await download('a.html', { end: outcome });
    expect(dispatched).toEqual([downloadEnded({ outcome })]);
  },
);

test('allows a download that main began for the person, and not another one without an origin', async () => {
  expect((await download('a.png', { origin: '', requested: 'parley://app/blob/1' })).isPrevented).toBe(false);
  expect((await download('a.png', { origin: '', requested: 'parley://app/blob/2' })).isPrevented).toBe(true);
});
