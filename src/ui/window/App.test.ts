import * as act from '#shared/actions/windowActions.ts';
import { configureStore } from '@reduxjs/toolkit';
import type * as React from 'react';
import { type FunctionComponent, type RefObject, createElement } from 'react';
import type * as jsxRuntime from 'react/jsx-dev-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import { Provider, useSelector } from 'react-redux';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EMAIL_ERROR, NAME_ERROR, PASSWORD_ERROR } from '#shared/protocol/credentials.ts';
import { connectionConfirmed, updateApplied } from '#shared/actions/sessionActions.ts';
import { fromSnapshot, WORDS } from '#shared/conversation/conversation.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { MESSAGES_IN_DOCUMENT } from '#shared/limits.ts';
import type { Message } from '#shared/protocol/update.ts';
import { type SharedState, sharedReducer } from '#shared/store/rootReducer.ts';
import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { initialWindowState, windowStateReducer } from '#shared/store/windowState.ts';
import { createTimeTexts } from '#ui/base/Arrival.tsx';
import { drawnStates } from '#ui/testing/drawnStates.ts';
import { App } from './App.tsx';
import { system } from './base/system.ts';
import { PictureContext } from './base/Picture.ts';
import { WindowCommandsContext, useWindowCommands } from './base/WindowCommands.ts';
import { ItemSource } from '#ui/base/ItemSource.tsx';
import { ItemCommandsContext, ItemOfMessageContext } from '#ui/base/itemCommands.ts';
import { MessageActions } from './actions/MessageActions.tsx';
import { readAssistantForm } from './dialogs/Assistant.tsx';
import type { Drawn, Effect } from './testing/pressElements.ts';
import { elementOfRow, pressElements, recordingCommands } from './testing/pressElements.ts';

/** The elements that are drawn. */
const drawnElements = vi.hoisted(() => new Array<Drawn>());
vi.mock('react/jsx-dev-runtime', async (importOriginal) => {
  const runtime = await importOriginal<typeof jsxRuntime>();
  const jsxDEV: typeof runtime.jsxDEV = (...args) => {
    drawnElements.push([args[0], Object(args[1])]);
    return runtime.jsxDEV(...args);
  };
  return { ...runtime, jsxDEV };
});

/** What the components do when they are shown. */
const effects = vi.hoisted(() => new Array<Effect>());
/** The functions with effects and kept values, each with the number of values on which one depends. */
const dependencies = vi.hoisted(() => new Set<string>());
const followed: ProxyHandler<(...args: never[]) => unknown> = vi.hoisted(() => ({
  apply(hook: (...args: never[]) => unknown, self: unknown, args: readonly unknown[]) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 2;
    const [, name] = /\n[^]*\n +at (\w+)/u.exec(new Error().stack ?? '') ?? [];
    Error.stackTraceLimit = stackTraceLimit;
    dependencies.add(`${name}: ${Array.isArray(args[1]) ? args[1].length : 'each time'}`);
    return Reflect.apply(hook, self, args);
  },
}));
vi.mock('react', async (importOriginal) => {
  const react = await importOriginal<typeof React>();
  const useEffect = new Proxy((effect: Effect) => void effects.push(effect), followed);
  const [useMemo, useCallback] = [new Proxy(react.useMemo, followed), new Proxy(react.useCallback, followed)];
  return { ...react, useEffect, useLayoutEffect: useEffect, useMemo, useCallback };
});
vi.mock('react-dom', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  createPortal: (children: unknown) => children,
}));
vi.mock('#ui/export/messageElement.ts', () => ({
  messageElement: ({ context }: Message) => ({ innerHTML: `<b>${context}</b>` }),
}));

const SHARED = sharedReducer(undefined, { type: '' });

/** A title, actions of the window, and what main and the context of a component say beside them. */
type State = [
  title: string,
  actions: readonly WindowStateAction[],
  shared?: Partial<SharedState>,
  part?: FunctionComponent,
];

/** Returns the markup of a window after actions of its state. There is no document here: an effect would fail. */
function draw(...[, actions, shared = {}, part = App]: State): string {
  const own = actions.reduce(windowStateReducer, initialWindowState);
  const state = { ...SHARED, ...shared, own };
  const store = configureStore({ reducer: () => state });
  // oxlint-disable-next-line react/no-children-prop -- this file is not JSX
  return renderToStaticMarkup(createElement(Provider, { store, children: createElement(part) }));
}

/** Returns a page of what a view draws in each state, and after it of what its handlers do there: both tell how each one differs from the view alone. */
async function pageOf(
  view: 'splash' | 'login' | 'conversation',
  states: readonly State[],
  whole: FunctionComponent = App,
): Promise<string> {
  const shown = act.viewChanged({ view });
  const all: (readonly [title: string, markup: string])[] = [];
  const handlers: string[] = [];
  const usual = new Set<string>();
  dependencies.clear();
  for (const [title, actions, shared, part = whole] of [['the view alone', []] as const, ...states]) {
    const Recorded = () => {
      const value = recordingCommands(useWindowCommands());
      return createElement(WindowCommandsContext, { value }, createElement(part));
    };
    drawnElements.length = 0;
    effects.length = 0;
    all.push([title, draw(title, [shown, ...actions], shared, Recorded)]);
    const done = (await pressElements(drawnElements.splice(0), effects.splice(0))).filter(
      (line) => part !== whole || !usual.has(line),
    );
    if (handlers.length === 0) for (const line of done) usual.add(line);
    handlers.push(`## What is done: ${title}`, ...done, '');
  }
  const [[, alone] = ['', ''], ...others] = all;
  handlers.push('## On how many values what runs again depends', ...Array.from(dependencies).toSorted(), '');
  return `${drawnStates(others, alone)}\n${handlers.join('\n')}`;
}

const sharedOf = (...messages: readonly Message[]) => ({
  conversation: fromSnapshot({ person: 'Ada', messages }),
});

const text = (words: string) => ({ category: 'text', text: words });
const draft = (length: number) => act.textBoxOpened({ text: 'x'.repeat(length) });
const signInForm = (name: string) => act.signInFormEdited({ email: 'a@b.org', name });
const wrong = (error: string) => act.signInFormChecked({ error });
const connection = (closedBecause: string | null, status: 'connected' | 'disconnected' = 'disconnected') => ({
  connection: { status, closedBecause },
});

test('draws each state of the sign-in form', async () => {
  const saved = act.noteShown({ text: 'Saved in', path: '/x' });
  await expect(await pageOf('splash', [['a note', [saved]]])).toMatchFileSnapshot('testing/splash.txt');
  const page = await pageOf('login', [
    ['an email', [signInForm('')]],
    ['a name makes the password a new one', [signInForm('Ada')]],
    ['a request', [act.signInFormSubmitted()]],
    ['an error', [wrong('No.')]],
    ['an error of the email', [wrong(EMAIL_ERROR)]],
    ['an error of the password', [wrong(PASSWORD_ERROR)]],
    ['an error of the name', [wrong(NAME_ERROR)]],
    ['the characters of the password', [act.charactersShown({ isShown: true })]],
    ['the first of two alerts', ['unauthorized', 'later'].map((words) => act.alertShown({ text: words }))],
    ['the menu has nothing of a conversation', [act.menuOpened()], connection('No.')],
  ]);
  await expect(page).toMatchFileSnapshot('testing/login.txt');
});

const stored = { url: 'http://a/v1', model: '', prompt: '', hasKey: true };
const assistant = (variables: string[]) =>
  act.dialogOpened({ dialog: 'assistant', contents: { ...stored, variables } });
const failed = (field: 'key' | null, message: string) =>
  act.assistantAnswered({ result: { kind: 'failed', field, message } });
const models = ['small', 'large', 'small'];
const listed = act.assistantAnswered({ result: { kind: 'tested', model: 'large', models } });
const wrongKey = [assistant([]), act.assistantSubmitted({ work: 'test' }), failed('key', 'Wrong key.')];
const folder = '/home/ada/.parley';
const deletion = { dialog: 'deleteData', contents: { folder, isPlatformBuiltIn: true } } as const;
const deleting = act.dialogOpened(deletion);
const preferences = { ...SHARED.preferences, captureDays: 5, fromEnvironment: ['audio'] as const };
const NONE = { files: 0, bytes: 0 };
const contents = { captures: '/data', stored: { recorded: NONE, saved: { files: 2, bytes: 3000 } } };
const settings = act.dialogOpened({ dialog: 'settings', contents });
const UNLIMITED = { ...SHARED.preferences, captureDays: null, theme: 'dark', audio: true } as const;
const settingsOf = (url: string | null, model: string | null) =>
  act.dialogOpened({ dialog: 'settings', contents: { ...contents, assistant: { url, model } } });
const program = { parley: '1.2.3', host: 'a browser', chromium: null, node: '24', licence: 'MIT' };
const about = act.dialogOpened({ dialog: 'about', contents: program });
const elsewhere = { ...deletion, contents: { folder, isPlatformBuiltIn: false } };
/** Is a PNG, as far as its beginning says. */
const PNG = 'iVBORw0KGgo=';
const pictures = (...names: string[]) =>
  sharedOf({ content: names.map((name) => ({ category: 'image', text: name, blob: PNG })) });
const [PICTURE, PICTURES] = [pictures('a/b.png'), pictures('a', 'b'.repeat(501), 'c')];
const openImage = (item: number) => [act.imageOpened({ message: 0, item })];
const sound = { category: 'audio', blob: 'T2dnUwAC' };
const voice = { ...SHARED.audio, isOn: true };
const playing = {
  ...sharedOf({ content: [sound, sound] }, { content: [sound, sound] }),
  audio: { ...voice, playing: { id: '', message: 0, item: 1 } },
};
const TURNS = Array.from('\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069').join('a');
const TURNING = sharedOf({ content: [{ category: 'file', text: TURNS, blob: 'YQ==' }] });
const LINES = sharedOf({ content: [{ category: 'file', text: 'a', blob: btoa('a\n'.repeat(7)) }] });
const away = [act.leftBottom(), act.placeLeft({ messages: 0, isAway: false })];
const arrived = (count: number) =>
  sharedOf(...Array.from({ length: count + 1 }, (_, at) => ({ modifier: at === 0 ? 'client' : 'ai' })));

const others = sharedOf(
  ...['ai', 'client', 'ai', 'ai'].map((modifier) => ({ modifier, content: [text('a')] })),
);
const hitFound = act.hitReached({ hit: { message: 0, item: 0, start: 0 } });
const read = { message: 0, id: '', offset: 5 };
const zoomed = act.imageZoomed({ factor: 2, x: 3, y: 4 });

const pictureOf = (part: FunctionComponent) => () => {
  const value = { name: 'a picture', recordedMs: 100 };
  return createElement(PictureContext, { value }, createElement(part));
};
const recorded = pictureOf(App);

const cancel = () => undefined;
const lost = { connection: { status: 'disconnected', closedBecause: null, retryAt: 5 } } as const;
const failedStart = act.startFailureChanged({ failure: { canSave: false } });

const working = () => {
  const list = [0, 2000].map((of, id) => ({ id, name: 'Export', done: of / 2, of, cancel }));
  const works = { subscribe: () => () => undefined, current: () => list };
  const commands = useWindowCommands();
  expect(commands.works.current()).toBe(commands.works.current());
  const value = { ...commands, works };
  return createElement(WindowCommandsContext, { value }, createElement(App));
};

test('draws each state of the conversation from what the window and main say alone, and counts no more than 99 new messages', async () => {
  const page = await pageOf('conversation', [
    ['a draft', [act.textBoxOpened({ text: 'hello' })]],
    ['a short draft has no count', [draft(199)]],
    ['a longer draft has one', [draft(200)]],
    ['a draft that is too long', [draft(250)]],
    ['where to drop a file', [act.fileDropEntered()]],
    ['a failed start', [act.startFailureChanged({ failure: { canSave: true } })], connection('No.')],
    ['a failed start has nothing to find or save', [failedStart, act.menuOpened()]],
    ['a dialog', [deleting]],
    ['a deletion of everything', [deleting, act.platformFileChosen({ platformFile: true })]],
    ['a deletion that runs', [deleting, act.deletionConfirmed({ platformFile: true })]],
    ['a deletion beside another platform', [act.dialogOpened(elsewhere)]],
    ['what the program is', [about]],
    ['the assistant, of which a test failed', wrongKey],
    ['the assistant while it is tested', wrongKey.slice(0, 2)],
    ['the assistant while it is saved', [assistant([]), act.assistantSubmitted({ work: 'save' })]],
    ['the assistant, whose test found models', [...wrongKey.slice(0, 2), listed]],
    ['the assistant of the environment', [assistant(['PARLEY_KEY'])]],
    ['the export', [act.dialogOpened({ dialog: 'export' })]],
    ['a note', [act.noteShown({ text: 'Saved in', path: '/x' })]],
    ['where the person read', [act.reachedBottom({ pulledFrom: read })]],
    ['the find bar', [act.findEdited({ text: 'needle' }), hitFound]],
    ['the find bar counts nothing without a text', [act.findEdited({ text: ' ' })]],
    ['the menu', [act.menuOpened()]],
    ['a lost connection', [], { wasConnected: true }],
    ['a refused connection', [], connection('No.')],
    ['a refused connection while the person writes', [draft(1)], connection('No.')],
    ['a connection that is tried again', [], lost],
    ['an open connection', [], connection(null, 'connected')],
    ['the backlog', [], { backlog: { ...SHARED.backlog, updates: 3 } }],
    ['the preferences of the environment and of the file', [settings], { preferences }],
    ['the settings of the demonstration', [settingsOf(null, null)], { preferences: UNLIMITED }],
    ['the settings of a model', [settingsOf('http://a/v1', null)]],
    ['an image', openImage(0), PICTURE],
    ['an image between two others', openImage(1), PICTURES],
    ['no viewer without an image', openImage(1), PICTURE],
    ['the sound that plays, and no other one of its message', [], playing],
    ['each character of a name that changes the direction of text changes only itself', [], TURNING],
    ['where the new messages of others begin', [act.placeLeft({ messages: 1, isAway: true })], others],
    ['a long conversation', [], arrived(MESSAGES_IN_DOCUMENT)],
    ['a picture of the beginning of a file', [act.scrollRested(read)], LINES, recorded],
    ['a picture of the zoomed image', [...openImage(0), zoomed], PICTURE, recorded],
    ['no new message', away, arrived(0)],
    ['1 new message', away, arrived(1)],
    ['a recording', [], { audio: { ...voice, isRecording: true } }],
    ['whole seconds are left of a recording', [], { audio: { ...voice, isRecording: true } }, recorded],
    ['long work, whose size may not be known yet', [], {}, working],
  ]);
  await expect(page).toMatchFileSnapshot('testing/conversation.txt');
  expect(draw('', [act.viewChanged({ view: 'conversation' })], lost, recorded)).toContain(
    '<p>The platform cannot be reached. Parley tries again by itself. ',
  );
  const counted = (count: number) =>
    draw('', [act.viewChanged({ view: 'conversation' }), ...away], arrived(count));
  expect(counted(99)).toMatch(/label="99 new messages"[^]*> 99 new</u);
  expect(counted(100)).toMatch(/label="More than 99 new messages"[^]*> 99\+ new</u);
});

test.each([
  ['conversation', 'mac'],
  ['login', 'windows'],
] as const)(
  'contract §3 buttons: draws the buttons of the title bar, and all entries of the menu with their keys, in Electron: the %s on %s',
  async (view, os) => {
    const before = { ...system };
    onTestFinished(() => void Object.assign(system, before));
    Object.assign(system, { os, isElectron: true });
    const page = await pageOf(view, [['the menu', [act.menuOpened()], connection('No.')]]);
    await expect(page).toMatchFileSnapshot(`testing/${os}.txt`);
  },
);

const HOUR = 3_600_000;
/** Is on 1 June everywhere: local times are between UTC - 12 and UTC + 14 hours. */
const NOON = Date.UTC(2026, 5, 1, 11);

function timesOf(
  arrivals: readonly (number | null)[],
  timesOfDay: SharedState['timesOfDay'],
  fields: readonly object[] = [],
) {
  const messages = arrivals.map((_, i) => ({ id: `${i}`, content: [text('')], ...fields[i] }));
  const of = sharedOf(...messages, { id: 'empty' });
  const shared = { ...of, arrivals: vectorOf([...arrivals, null]), timesOfDay };
  const markup = draw('', [act.viewChanged({ view: 'conversation' })], shared);
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

const model = (name: string | null) => act.assistantShown({ isDemonstration: false, model: name });
const opened = [model('large'), act.dialogOpened({ dialog: 'models' })];
const unlisted = act.assistantAnswered({ result: { kind: 'tested', model: 'large', models: ['small'] } });
const demonstration = act.assistantShown({ isDemonstration: true, model: null });
/** The row of the words contains the model. */
const row = { words: WORDS };
const answeredBy = (context: string) => ({ ...sharedOf({ modifier: 'ai', context }), ...row });

test('contract §3 model: draws who answers, and the models of the server in the menu, each once, with the chosen one marked', async () => {
  const page = await pageOf('conversation', [
    ['the demonstration', [demonstration], answeredBy('Parley')],
    ['the model in use', [model(`large${'e'.repeat(40)}`)], answeredBy('small is writing…')],
    ['the name of the newest answer while the model is not known', [model(null)], answeredBy('small')],
    ['the platform while no name is known', [model(null)], row],
    ['the models', [...opened, listed], row],
    ['a model that the server does not list', [...opened, unlisted], row],
    ['the models are requested', opened, row],
    ['why there are no models', [...opened, failed(null, 'No server answers.')], row],
  ]);
  await expect(page).toMatchFileSnapshot('testing/model.txt');
});

/** Returns what main says of a connected conversation with these messages, of a platform that understands these words. */
function connectedWith(messages: readonly Message[], words: readonly string[] = []) {
  const frame = { person: 'Ada', messages, words };
  const update = updateApplied({ update: { kind: 'snapshot', frame }, bytes: 0, tick: 0 });
  return sharedReducer(sharedReducer(SHARED, connectionConfirmed()), update);
}

const special = (id: string, words: string, fields: object): Message =>
  Object.assign({ id, modifier: 'admin', context: '', content: [text(words)] }, fields);

test('spec §2.5 modifier, §2.5 context, §2.5 avatar, spec §2.6 person, contract §3 initials, contract §3 message, contract §3 content item, contract §3 notice, contract §3 divider: draws messages with their senders, sides and items, notices, of which only the newest of its kind offers its button until the next topic, and a divider', async () => {
  const messages = [
    { id: 'a', modifier: 'ai', context: 'Parley', avatar: PNG, content: [text('one')] },
    { id: 'b', modifier: 'client', context: 'Ada', avatar: '', content: [text('two'), text('')] },
    { id: 'c', modifier: 'admin', context: '', avatar: 'PHN2Zz4=', content: ['3', '4', '5'].map(text) },
    { id: 'd', modifier: 'robot', context: 'R', content: [{ category: 'zip', text: 'a.zip', blob: 'YQ==' }] },
  ];
  const notices = [
    special('1', 'First failure.', { notice: true, action: 'again' }),
    special('2', 'It needs a key.', { notice: true, action: 'settings' }),
    special('3', 'A filter ended it.', { notice: true }),
    special('4', 'Second failure.', { notice: true, action: 'again' }),
  ];
  const offering = 'connect continue cancel 1 2 3 4 5 6 7 8 9'
    .split(' ')
    .map((action) => special(action, action, { notice: true, action }));
  const divided = [...notices, special('5', 'New topic', { divider: true })];
  const page = await pageOf('conversation', [
    ['messages', [], connectedWith(messages)],
    ['notices', [], connectedWith(notices, ['again'])],
    ['notices before a new topic', [], connectedWith(divided, ['again'])],
    ['notices with other buttons', [], connectedWith(offering, WORDS)],
  ]);
  await expect(page).toMatchFileSnapshot('testing/messages.txt');
  const offline = { ...connectedWith(notices, ['again']), ...connection(null) };
  const markup = draw('', [act.viewChanged({ view: 'conversation' })], offline);
  const buttons = ['"true">Again', '"false">Open', '"true" title="Not connected">Again'];
  expect(markup.match(/(?<=aria-disabled=)[^>]+>(?:Again|Open)/g)).toEqual(buttons);
});

/** Returns what main says of a question and its answer with this label. */
const answered = (context: string) =>
  connectedWith(
    [
      { id: 'q', modifier: 'client', context: 'Ada', content: [text('Why?')] },
      { id: 'a', modifier: 'ai', context, content: [text('So:'), { ...text('**so**'), format: 'markdown' }] },
    ],
    WORDS,
  );

test('draws what can be done with an answer and its question: while it runs, when it has ended, and without a connection', async () => {
  const page = await pageOf('conversation', [
    ['an answer that runs', [], answered('llama is writing…')],
    ['an answer whose model is loaded', [], answered('llama is loading the model…')],
    ['an answer that has ended', [], answered('llama')],
    ['an answer that was stopped', [], answered('llama · stopped')],
    ['a lost connection', [], { ...answered('llama · stopped'), ...connection(null) }],
    ['a picture of an answer', [], answered('llama'), recorded],
    ['a draft', [draft(3)], answered('llama')],
    ['an edited question', [act.textBoxOpened({ text: 'Why', edits: 'q' })], answered('llama')],
  ]);
  await expect(page).toMatchFileSnapshot('testing/answer.txt');
});

/** Draws the menu of the message that is open, as if the conversation were in the document. */
function ActionsOfMessage() {
  const log: RefObject<HTMLElement | null> = { current: null };
  Object.assign(log, {
    current: { querySelector: () => elementOfRow(1), addEventListener: () => undefined },
  });
  const conversation = useSelector((state: SharedState) => state.conversation);
  return createElement(MessageActions, { conversation, log });
}

test('draws the menu of a message, with its first five images and files, and does what each entry says', async () => {
  const empty = { category: 'file', text: 'empty', blob: '' };
  const kinds = ['image', 'text', 'file', 'html', 'audio', 'zip', 'image', 'file', 'file'];
  const unreadable = kinds.map((category, at) => ({ category, text: at < 5 ? '' : `${at}`, blob: '*' }));
  const kept = { category: 'file', text: 'kept', blob: { head: 'AA==', hash: 'f'.repeat(64), image: null } };
  const files = [{ category: 'image', text: 'a/b.png', blob: PNG }, empty, kept, ...unreadable];
  const question = { id: 'q', modifier: 'client', context: 'Ada', content: [text('Why?')] };
  const answer = { id: 'a', modifier: 'ai', context: 'llama', content: [text('So.'), ...files] };
  const menu = [act.messageMenuOpened({ message: 1 })];
  const asked = connectedWith([answer, question], WORDS);
  const page = await pageOf(
    'conversation',
    [
      ['an answer with files', menu, connectedWith([question, answer], WORDS)],
      ['the last question', menu, asked],
      ['a draft', [...menu, draft(2)], asked],
      ['a message that is gone', menu, connectedWith([answer])],
      ['a picture of the last question', menu, asked, pictureOf(ActionsOfMessage)],
    ],
    ActionsOfMessage,
  );
  await expect(page).toMatchFileSnapshot('testing/menu.txt');
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
  const kept = [readForm(empty), readForm(empty, false), readForm({ ...empty, removesKey: 'on' })];
  expect(kept).toMatchObject([true, false, false].map((keepsKey) => ({ key: null, keepsKey })));
});
