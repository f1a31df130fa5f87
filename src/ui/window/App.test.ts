import * as act from '#shared/actions/windowActions.ts';
import { configureStore } from '@reduxjs/toolkit';
import { type FunctionComponent, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Provider } from 'react-redux';
import { expect, onTestFinished, test } from 'vitest';
import { EMAIL_ERROR, NAME_ERROR, PASSWORD_ERROR } from '#shared/protocol/credentials.ts';
import { connectionConfirmed, updateApplied } from '#shared/actions/sessionActions.ts';
import { fromSnapshot } from '#shared/conversation/conversation.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import type { Message } from '#shared/protocol/update.ts';
import { type SharedState, sharedReducer } from '#shared/store/rootReducer.ts';
import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { initialWindowState, windowStateReducer } from '#shared/store/windowState.ts';
import { createTimeTexts } from '#ui/base/Arrival.tsx';
import { App } from './App.tsx';
import { system } from './base/system.ts';
import { PictureContext } from './base/Picture.ts';
import { ModelButton } from './conversation/ModelButton.tsx';
import { WindowCommandsContext, useWindowCommands } from './base/WindowCommands.ts';
import { WorkBars } from './shell/Bars.tsx';
import { ItemSource } from '#ui/base/ItemSource.tsx';
import { ItemCommandsContext, ItemOfMessageContext } from '#ui/base/itemCommands.ts';
import { menuItems } from './shell/AppMenu.tsx';
import { readAssistantForm } from './dialogs/Assistant.tsx';

/** Returns the markup of a window after actions of its state. There is no document here: an effect would fail. */
const draw = (...actions: readonly WindowStateAction[]): string => drawState(SHARED, actions);

const SHARED = sharedReducer(undefined, { type: '' });

const sharedOf = (...messages: readonly Message[]) => ({
  ...SHARED,
  conversation: fromSnapshot({ person: 'Ada', messages }),
});

function drawState(
  shared: SharedState,
  actions: readonly WindowStateAction[],
  part: FunctionComponent = App,
): string {
  const own = actions.reduce(windowStateReducer, initialWindowState);
  const state = { ...shared, own };
  const store = configureStore({ reducer: () => state });
  // oxlint-disable-next-line react/no-children-prop -- this file is not JSX
  return renderToStaticMarkup(createElement(Provider, { store, children: createElement(part) }));
}

const text = (words: string) => ({ category: 'text', text: words });

const captured = (markup: string, pattern: RegExp) =>
  Array.from(markup.matchAll(pattern), ([, ...groups]) => groups);

const draft = (length: number) => act.textBoxOpened({ text: 'x'.repeat(length) });
const signInForm = (name: string) => act.signInFormEdited({ email: 'a@b.org', name });
const login = act.viewChanged({ view: 'login' });
const conversation = act.viewChanged({ view: 'conversation' });
const stored = { url: 'http://a/v1', model: '', prompt: '', hasKey: true };
const assistant = (variables: string[]) =>
  act.dialogOpened({ dialog: 'assistant', contents: { ...stored, variables } });
const failed = (field: 'key' | null, message: string) =>
  act.assistantAnswered({ result: { kind: 'failed', field, message } });
const folder = '/home/ada/.parley';
const deletion = { dialog: 'deleteData', contents: { folder, isPlatformBuiltIn: true } } as const;

/** Matches a form whose only field with an error has this label, and is described by the error. */
const describedByError = (label: string) =>
  new RegExp(
    `<p id="([^"]+)"(?:(?!"true" aria-describedby).)*<label for="([^"]+)">${label}</label>(?:(?!<input).)*<input id="\\2"[^>]*aria-invalid="true" aria-describedby="\\1"`,
    'su',
  );

test.each<[string, WindowStateAction[], RegExp[]]>([
  ['the splash', [], [/data-view="splash"/]],
  ['the sign-in form', [login, signInForm('')], [/value="a@b\.org"/, /autoComplete="current-password"/]],
  ['the form with a name', [login, signInForm('Ada')], [/value="Ada"/, /autoComplete="new-password"/]],
  ['an error', [login, act.signInFormChecked({ error: 'No.' })], [/"status" [^>]* data-error="true">No\./]],
  ['an email’s error', [login, act.signInFormChecked({ error: EMAIL_ERROR })], [describedByError('Email')]],
  ['a password’s', [login, act.signInFormChecked({ error: PASSWORD_ERROR })], [describedByError('Password')]],
  ['a name’s', [login, act.signInFormChecked({ error: NAME_ERROR })], [describedByError('Name')]],
  ['the password’s characters', [login, act.charactersShown({ isShown: true })], [/aria-pressed="true"/]],
  ['the conversation with its icon', [conversation], [/role="log"/, /title="Write a message"/]],
  ['a draft', [conversation, act.textBoxOpened({ text: 'hello' })], [/aria-label="Message"[^>]*>hello</]],
  ['no count of a short draft', [conversation, draft(199)], [/^(?!.*class="count")/su]],
  ['the count of a longer draft', [conversation, draft(200)], [/data-over="false">200\/249</]],
  ['the count of a draft that is too long', [conversation, draft(250)], [/data-over="true">250\/249</]],
  ['where to drop a file', [conversation, act.fileDropEntered()], [/Drop a file to send it/]],
  ['a failed start', [conversation, act.startFailureChanged({ failure: { canSave: true } })], [/Try again/]],
  ['an alert', [login, act.alertShown({ text: 'unauthorized' })], [/role="alertdialog"/, /unauthorized/]],
  ['a note', [act.noteShown({ text: 'Saved in', path: '/x' })], [/Saved in <code dir="auto">\/x<\/code>/]],
  ['a dialog', [act.dialogOpened(deletion)], [/Delete my data/, /\/home\/ada\/\.parley/]],
  [
    'the assistant',
    [assistant([]), act.assistantSubmitted({ work: 'test' }), failed('key', 'Wrong key.')],
    [/value="http:\/\/a\/v1"/, /Remove the stored key/, /role="status"[^>]*>Wrong key\./],
  ],
  ['the assistant of the environment', [assistant(['PARLEY_KEY'])], [/Set by PARLEY_KEY\./, /readOnly=""/]],
  ['the export', [act.dialogOpened({ dialog: 'export' })], [/Export the conversation/, /Markdown/]],
  [
    'the find bar',
    [conversation, act.findEdited({ text: 'needle' })],
    [/<search.*value="needle"/su, /aria-label="Next"[^>]* disabled=""/],
  ],
  ['the menu', [act.menuOpened()], [/aria-expanded="true"/, /About Parley/]],
])('draws %s from the store alone', (_, actions, expected) => {
  const markup = draw(...actions);
  for (const part of expected) expect(markup).toMatch(part);
});

const connection = (closedBecause: string | null, status: 'connected' | 'disconnected' = 'disconnected') => ({
  connection: { status, closedBecause },
});
const preferences = { ...SHARED.preferences, captureDays: 5, fromEnvironment: ['audio'] as const };
const NONE = { files: 0, bytes: 0 };
const settings = { captures: '/data', stored: { recorded: NONE, saved: NONE } };
const PICTURE = sharedOf({ content: [{ category: 'image', text: 'a.png', blob: 'iVBORw0KGgo=' }] });
const openImage = (item: number) => [act.imageOpened({ message: 0, item })];
const sound = { category: 'audio', blob: 'T2dnUwAC' };
const playing = { ...SHARED.audio, isOn: true, playing: { id: '', message: 0, item: 1 } };
const TURNS = Array.from('\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069');
const away = [act.leftBottom(), act.placeLeft({ messages: 0, isAway: false })];
const arrived = (count: number) =>
  sharedOf(...Array.from({ length: count + 1 }, (_, at) => ({ modifier: at === 0 ? 'client' : 'ai' })));

test.each<[string, Partial<SharedState>, WindowStateAction[], RegExp[]]>([
  ['a first connection', {}, [], [/>Connecting…</, /Opening your conversation…/]],
  ['a lost one', { wasConnected: true }, [], [/>Reconnecting…</]],
  ['a refused one', connection('No.'), [], [/>Disconnected<.*: <bdi>No\.<\/bdi>(?!.*Opening your)/su]],
  ['an open one', connection(null, 'connected'), [], [/Say hello/]],
  ['the backlog', { backlog: { ...SHARED.backlog, updates: 3 } }, [], [/class="backlog" title="[^"]*3 /]],
  [
    'preferences of the environment and of the file',
    { preferences },
    [act.dialogOpened({ dialog: 'settings', contents: settings })],
    [/Set by the environment variable PARLEY_AUDIO/, /role="switch"[^>]*disabled=""/, /selected="">5 days/],
  ],
  [
    'an image',
    PICTURE,
    openImage(0),
    [/<dialog[^>]*label="a\.png".*download="a\.png".*<img src="data:image\/png/su],
  ],
  ['no viewer without an image', PICTURE, openImage(1), [/^(?!.*<dialog)/su]],
  [
    'the sound that plays as such, and no other one of its message',
    { ...sharedOf({ content: [sound, sound] }), audio: playing },
    [],
    [/class="play" aria-label="Play".*class="play" aria-label="Stop"/su],
  ],
  [
    'each character of a file name that changes the direction of text so that it changes only itself',
    sharedOf({ content: [{ category: 'file', text: TURNS.join('a'), blob: 'YQ==' }] }),
    [],
    [new RegExp(TURNS.map((one) => `<bdi>${one}</bdi>`).join('a'), 'u')],
  ],
  ['no new message', arrived(0), away, [/new-messages[^>]*label="Go to the newest message"/]],
  ['1 new message', arrived(1), away, [/label="1 new message".*> 1 new</su]],
  ['99 new messages', arrived(99), away, [/label="99 new messages".*> 99 new</su]],
  ['more new messages', arrived(100), away, [/label="More than 99 new messages".*> 99\+ new</su]],
])('draws %s from what main says', (...[, shared, actions, expected]) => {
  const markup = drawState({ ...SHARED, ...shared }, [conversation, ...actions]);
  for (const part of expected) expect(markup).toMatch(part);
});

test('draws the time that is left of a recording, in whole seconds that have begun', () => {
  const value = { name: 'a picture', recordedMs: 100 };
  const part = () => createElement(PictureContext, { value }, createElement(App));
  const audio = { ...SHARED.audio, isOn: true, isRecording: true };
  const markup = drawState({ ...SHARED, audio }, [conversation], part);
  expect(markup).toMatch(/aria-pressed="true".*aria-label="15 seconds left"/su);
});

test.each([
  ['mac', ['Close', 'Minimize', 'Log out', 'Menu']],
  ['linux', ['Log out', 'Menu', 'Minimize', 'Close']],
])('contract §3 buttons: draws the buttons of the title bar in the order of %s', (os, expected) => {
  const { os: own } = system;
  onTestFinished(() => void Object.assign(system, { os: own }));
  Object.assign(system, { os });
  const [bar = ''] = /<header.*<\/header>/su.exec(draw(conversation)) ?? [];
  expect(captured(bar, /<button[^>]* title="([^"]+)"/gu).flat()).toEqual(expected);
});

const HOUR = 3_600_000;
/** Is on 1 June everywhere: local times are between UTC - 12 and UTC + 14 hours. */
const NOON = Date.UTC(2026, 5, 1, 11);

function timesOf(
  arrivals: readonly (number | null)[],
  timesOfDay: SharedState['timesOfDay'],
  fields: readonly object[] = [],
) {
  const messages = arrivals.map((_, i) => ({ id: `${i}`, content: [text('')], ...fields[i] }));
  const shared = {
    ...sharedOf(...messages, { id: 'empty' }),
    arrivals: vectorOf([...arrivals, null]),
    timesOfDay,
  };
  const markup = drawState(shared, [conversation]);
  const found = markup.matchAll(/<time[^>]*dateTime="([^"]+)"|role="separator" aria-label="([^"]+)"/gi);
  return Array.from(found, ([, time, day]) => time ?? day);
}

test('contract §3 times: shows when each message with content arrived, and the date where the day changes, unless the time of day of the launch is not known', () => {
  const launch = [{ sinceLaunch: 0, timeOfDay: NOON }];
  expect(timesOf([null, 0, HOUR, 48 * HOUR, null, 72 * HOUR], launch)).toEqual([
    '2026-06-01T11:00:00.000Z',
    '2026-06-01T12:00:00.000Z',
    createTimeTexts().day(NOON + 48 * HOUR),
    '2026-06-03T11:00:00.000Z',
    '2026-06-04T11:00:00.000Z',
  ]);
  expect(timesOf([0, 48 * HOUR], [])).toEqual([]);
  // The times that the platform names count, also that of the first message.
  const fields = [0, 48 * HOUR].map((after) => ({ time: new Date(NOON + after).toISOString() }));
  expect(timesOf([null, 5], [{ sinceLaunch: 0, timeOfDay: 0 }], fields)).toEqual([
    createTimeTexts().day(NOON),
    '2026-06-01T11:00:00.000Z',
    createTimeTexts().day(NOON + 48 * HOUR),
    '2026-06-03T11:00:00.000Z',
  ]);
});

function drawButton(actions: readonly WindowStateAction[], label?: string): string {
  const messages = vectorOf(label === undefined ? [] : [{ modifier: 'ai', context: label }]);
  const shared = { ...SHARED, conversation: { person: 'Ada', messages } };
  return drawState(shared, actions, ModelButton);
}

const modelShown = (name: string | null) => act.assistantShown({ isDemonstration: false, model: name });
const opened = act.dialogOpened({ dialog: 'models' });
const models = ['small', 'large', 'small'];
const listed = act.assistantAnswered({ result: { kind: 'tested', model: 'large', models } });

test('contract §3 model: says that the demonstration answers, with one button', () => {
  const markup = drawButton([act.assistantShown({ isDemonstration: true, model: null })], 'Parley');
  expect(markup).toContain('>Demonstration<');
  expect(markup.match(/<button[^>]*>[^<]*/g)).toEqual([expect.stringContaining('Connect a model…')]);
});

test.each([
  ['the model in use', { name: 'large', label: 'small is writing…' }, 'large'],
  ['the name of the newest answer while the model is not known', { name: null, label: 'small' }, 'small'],
  ['the platform while no name is known', { name: null }, 'Parley'],
])('shows %s', (_, { name, label }: { name: string | null; label?: string }, expected) => {
  const markup = drawButton([modelShown(name)], label);
  expect(markup).toContain(`aria-label="Model: ${expected}"`);
  expect(markup).toContain(`>${expected}</bdi>`);
  expect(markup).toContain('aria-expanded="false"');
  expect(markup).not.toContain('role="menu"');
});

test('contract §3 model: shows the models of the server in the menu, each once, with the chosen one marked, or that they are requested, or why there are none', () => {
  const markup = drawButton([modelShown('large'), opened, listed]);
  expect(markup).toContain('aria-expanded="true"');
  expect(captured(markup, /role="menuitemradio" aria-checked="(true|false)"[^>]*>([^<]*)/gu)).toEqual([
    ['false', 'small'],
    ['true', 'large'],
  ]);
  expect(markup).toContain('>Settings of the assistant…<');
  const note = (...actions: readonly WindowStateAction[]) =>
    captured(drawButton([modelShown('large'), opened, ...actions]), /aria-disabled="true"[^>]*>([^<]*)</gu);
  expect(note()).toEqual([['Asking the server for its models…']]);
  expect(note(failed(null, 'No server answers.'))).toEqual([['No server answers.']]);
});

/** Returns the markup of a connected conversation with these messages, of a platform that understands these words. */
function drawMessages(messages: readonly Message[], words: readonly string[] = []): string {
  const frame = { person: 'Ada', messages, words };
  const update = updateApplied({ update: { kind: 'snapshot', frame }, bytes: 0, tick: 0 });
  const connected = sharedReducer(SHARED, connectionConfirmed());
  return drawState(sharedReducer(connected, update), [conversation]);
}

/** Is a PNG, as far as its beginning says. */
const PNG = 'iVBORw0KGgo=';

test('spec §2.5 modifier, §2.5 context, §2.5 avatar, spec §2.6 person, contract §3 initials, contract §3 message, contract §3 content item: draws the initials of the person, the id, the side, the label and the avatar of a message, and the position of each item', () => {
  const markup = drawMessages([
    { id: 'a', modifier: 'ai', context: 'Parley', avatar: PNG, content: [text('one')] },
    { id: 'b', modifier: 'client', context: 'Ada', avatar: '', content: [text('two'), text('')] },
    { id: 'c', modifier: 'admin', context: '', avatar: 'PHN2Zz4=', content: ['3', '4', '5'].map(text) },
    { id: 'd', modifier: 'robot', context: 'R', content: [{ category: 'zip', text: 'a.zip', blob: 'YQ==' }] },
  ]);
  expect(markup).toContain('>AA<');
  const messages = /<article[^>]*data-message-id="(\w)"[^>]*data-modifier="(\w+)" data-side="(\w+)"/gu;
  const sides = captured(markup, messages).map((one) => one.join(' '));
  expect(sides).toEqual(['a ai left', 'b client right', 'c admin centre', 'd robot left']);
  expect(captured(markup, /<img class="avatar" src="([^"]+)"/gu)).toEqual([[`data:image/png;base64,${PNG}`]]);
  expect(captured(markup, /<span id="[^"]+" dir="auto">(\w*)</gu).flat()).toEqual(['Parley', 'Ada', '', 'R']);
  expect(
    captured(markup, /data-category="(\w+)"[^>]*data-position="(\w+)"/gu).map((one) => one.join(' ')),
  ).toEqual(['text none', 'text first', 'text last', 'text first', 'text middle', 'text last', 'zip none']);
  expect(markup).toMatch(/>\.\.\.</u);
});

const special = (id: string, words: string, fields: object): Message =>
  Object.assign({ id, modifier: 'admin', context: '', content: [text(words)] }, fields);

const buttonsIn = (markup: string) =>
  captured(markup, /notice-button" aria-disabled="(\w+)"[^>]*>([^<]*)/gu).map((one) => one.join(' '));

test('contract §3 notice, contract §3 divider: draws a notice with at most one button, which only the newest of its kind offers until the next topic, and a divider as a separator', () => {
  const notices = [
    special('1', 'First failure.', { notice: true, action: 'again' }),
    special('2', 'It needs a key.', { notice: true, action: 'settings' }),
    special('3', 'A filter ended it.', { notice: true }),
    special('4', 'Second failure.', { notice: true, action: 'again' }),
  ];
  const current = ['true Again', 'false Open settings', 'false Again'];
  expect(buttonsIn(drawMessages(notices, ['again']))).toEqual(current);
  const markup = drawMessages([...notices, special('5', 'New topic', { divider: true })], ['again']);
  expect(buttonsIn(markup)).toEqual(current.map((one) => one.replace('false', 'true')));
  expect(markup.match(/aria-label="Notice"/gu)).toHaveLength(4);
  expect(markup).toMatch(/data-message-id="5"[^>]*>.*role="separator" aria-label="New topic"/su);
});

test('draws the whole source of an item when the source was expanded, but not because its text was', () => {
  const item = { message: 0, id: '1', item: 0 };
  const drawn = (part: 'sourceText' | 'text') => {
    const expanded = (['source', part] as const).map((one) => Object.assign({ part: one, steps: 1 }, item));
    const source = createElement(ItemSource, { sourceOf: () => 'z'.repeat(30_000) });
    const value = { expanded, expand: null, saved: () => undefined };
    const inItem = createElement(ItemOfMessageContext, { value: item }, source);
    const markup = renderToStaticMarkup(createElement(ItemCommandsContext, { value }, inItem));
    return markup.split('z').length - 1;
  };
  expect([drawn('sourceText'), drawn('text')]).toEqual([30_000, 20_000]);
});

test('draws the progress of long work, whose size may not be known yet', () => {
  const works = [0, 2000].map((of, id) => ({
    id,
    name: 'Export',
    done: of / 2,
    of,
    cancel: () => undefined,
  }));
  const part = () => {
    const value = {
      ...useWindowCommands(),
      works: { subscribe: () => () => undefined, current: () => works },
    };
    return createElement(WindowCommandsContext, { value }, createElement(WorkBars));
  };
  expect(captured(drawState(SHARED, [], part), /<p>(.*?)<\/p>(<progress.*?>)/gu)).toEqual([
    ['Export', '<progress aria-label="Export">'],
    ['Export<span>1,000 of 2,000 messages</span>', '<progress aria-label="Export" value="1000" max="2000">'],
  ]);
});

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
const keys = ['F', 'Shift+R', 'P', '+', '-', '0', 'S', 'I', ','].map((key) => `Ctrl+${key}`);

test('shows the keys of the application menu in Electron only, and those of the window everywhere', () => {
  expect(shortcuts(true)).toEqual(keys);
  expect(shortcuts(false)).toEqual(['Ctrl+F', 'Ctrl+P']);
});

const readForm = (fields: Readonly<Record<string, string>>, hasKey = true) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return readAssistantForm(data, hasKey);
};

test('reads the fields without spaces around them; an empty one is null, but keeps the stored key, unless it is to be removed', () => {
  const prompt = 'Be short.\nAlways.';
  const entered = { url: 'http://a/v1', model: null, key: 'sk-1', prompt, keepsKey: false };
  expect(readForm({ url: ' http://a/v1 ', model: ' ', key: 'sk-1\n', prompt })).toEqual(entered);
  const empty = { url: 'http://a', key: '' };
  expect(readForm(empty)).toMatchObject({ key: null, keepsKey: true });
  expect(readForm(empty, false)).toMatchObject({ key: null, keepsKey: false });
  expect(readForm({ ...empty, removesKey: 'on' })).toMatchObject({ key: null, keepsKey: false });
});
