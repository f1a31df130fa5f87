import { afterEach, expect, test, vi } from 'vitest';
import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { copied } from '#shared/actions/outputActions.ts';
import * as user from '#shared/actions/userActions.ts';
import * as act from '#shared/actions/windowActions.ts';
import { limitText } from '#shared/actions/windowSchemas.ts';
import { virtualClock } from '#shared/clock.ts';
import { REST_MS, STATE_TEXT_LENGTH } from '#shared/limits.ts';
import { FIT } from '#shared/store/overlayState.ts';
import { sharedReducer } from '#shared/store/rootReducer.ts';
import { toolsBridge } from '#tests/builders/syncBridge.ts';
import { conversationOf, message } from '#tests/builders/updateOf.ts';
import { CodeCopied } from '#ui/code/decorateCode.ts';
import { createWindowCommands, showOwnMessages } from '../commands/createWindowCommands.ts';
import { PASTE_CUT, PASTE_SHORTENED, TEXT_TOO_LONG } from '../commands/sendFile.ts';
import { createTextMemory } from '../store/createTextMemory.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { FIELDS, TEXT_BOX, handleFind, handleKeys, handlePrint, handleUndo } from './handleKeys.ts';
import { handleDrags, handlePaste, namesFiles, refuseDrops, reportCopies } from './handleTransfers.ts';

afterEach(() => vi.unstubAllGlobals());

type Focus = 'body' | 'box' | 'field';

/** An element with the focus: the text box, another field, or none of both. It tells what happens to it, and where it scrolls. */
class Target extends EventTarget {
  value = '';
  selectionStart = 0;
  selectionEnd = 0;
  type = 'text';
  scrollTop = 500;
  scrollHeight = 900;
  clientHeight = 400;
  constructor(
    readonly kind: Focus,
    readonly tell: (what: unknown) => void = () => {},
  ) {
    super();
  }
  closest = (selector: string) =>
    this.kind !== 'body' && (selector === FIELDS || this.kind === 'field' || selector.includes('textarea'))
      ? this
      : null;
  matches = (selector: string) => this.kind === 'box' && [TEXT_BOX, 'textarea'].includes(selector);
  focus = () => this.tell('focus');
  select = () => this.tell('select');
  scrollTo = ({ top }: { top: number }) => this.tell(top);
  setRangeText(text: string, from: number, to: number): void {
    this.value = this.value.slice(0, from) + text + this.value.slice(to);
  }
}

const CONVERSATION = act.viewChanged({ view: 'conversation' });

/** A window after these actions, with a dropped text, whose listeners hear events at an element. */
function openWindow(actions: readonly WindowStateAction[] = [CONVERSATION], kind: Focus = 'body') {
  const store = createWindowStateStore();
  actions.forEach(store.dispatch);
  const told: unknown[] = [];
  const tell = (what: unknown) => void told.push(what);
  const [box, find, target] = [new Target('box', tell), new Target('field', tell), new Target(kind)];
  const log = new Target('body', tell);
  const has = { dialog: true, selection: '' };
  const document = {
    querySelector(selector: string) {
      if (selector === TEXT_BOX) return store.getState().own.textBox === null ? null : box;
      if (selector === 'search input') return find;
      return selector === '[role="log"]' ? log : has.dialog || null;
    },
    activeElement: null as Target | null,
    getSelection: () => ({
      selectAllChildren: (one: unknown) => tell(one === log && 'all'),
      toString: () => has.selection,
    }),
  };
  const page = Object.assign(new EventTarget(), { document });
  const elements = ['Element', 'HTMLElement', 'HTMLTextAreaElement', 'HTMLInputElement'];
  const globals = { window: page, document, ...Object.fromEntries(elements.map((name) => [name, Target])) };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  // The tests use the parts of a window that its listeners use.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const listened = page as unknown as Window;
  const { tools, sent, emit } = toolsBridge();
  const texts = createTextMemory(null);
  texts.keepDropped('lost');
  store.dispatched.length = 0;
  handleKeys(listened, store);
  handleUndo(listened, store, texts);
  handleFind({ target: listened, tools }, store);
  handlePrint(tools, store, () => tell('print'));
  handlePaste(listened, store, { pasteFiles: () => tell('files'), pasted: texts.pasted });
  handleDrags(listened, store);
  refuseDrops(listened);
  reportCopies(listened, store);
  /** Returns what was done since the last call: in the window's state, by main, and in the page. */
  const done = () => [...store.dispatched.splice(0), ...sent.splice(0), ...told.splice(0)];
  /** Returns whether the browser does nothing more, and what was done. */
  const happen = (type: string, more: object = {}, isPrevented = false): unknown[] => {
    const event = Object.assign(new Event(type, { cancelable: true }), more);
    Object.defineProperty(event, 'target', { value: target });
    if (isPrevented) event.preventDefault();
    page.dispatchEvent(event);
    return [event.defaultPrevented, ...done()];
  };
  /** Presses a key, after the names of those that are held: `Ctrl a`. */
  const press = (keys: string, isPrevented = false) => {
    const held = (name: string) => keys.split(' ').includes(name);
    const names = ['Ctrl', 'Shift', 'Meta', 'Alt', 'Composing'];
    const [ctrlKey, shiftKey, metaKey, altKey, isComposing] = names.map(held);
    const more = { ctrlKey, shiftKey, metaKey, altKey, isComposing, getModifierState: () => false };
    return happen('keydown', { key: keys.split(' ').at(-1), ...more }, isPrevented);
  };
  const paste = (text: string, ...names: readonly string[]) =>
    happen('paste', { clipboardData: { getData: () => text, files: names.map((name) => ({ name })) } });
  return { store, window: page, document, box, has, tools, emit, tell, texts, happen, press, paste, done };
}

const LOGIN = [act.viewChanged({ view: 'login' })];
const OPEN = [CONVERSATION, act.textBoxOpened({ text: 'hi' })];
const EMPTY_BOX = [CONVERSATION, act.textBoxOpened({ text: '' })];
const DIALOG = [CONVERSATION, act.dialogOpened({ dialog: 'export' })];
const HERE = [CONVERSATION];
const FAILED = [CONVERSATION, act.startFailureChanged({ failure: { canSave: true } })];
const opens = (text: string) => act.textBoxOpened({ text });
const edits = (text: string) => act.textBoxEdited({ text });

test.each<[string, keys: string, WindowStateAction[], Focus, isPrevented: boolean, ...effects: unknown[]]>([
  ['a character opens the text box', 'a', HERE, 'body', true, opens('a')],
  ['one goes to the open box', 'a', OPEN, 'body', false, 'focus'],
  ['one goes to another field', 'a', HERE, 'field', false],
  ['one goes to a dialog', 'a', DIALOG, 'body', false],
  ['one goes to the sign-in form', 'a', LOGIN, 'body', false],
  ['a shortcut opens nothing', 'Ctrl k', HERE, 'body', false],
  ['Escape closes the box, and nothing else', 'Escape', OPEN, 'body', true, act.textBoxClosed()],
  ['Escape ends a composition', 'Composing Escape', OPEN, 'body', false],
  ['Escape closes no closed box', 'Escape', HERE, 'body', false],
  ['Escape in the box is the box’s', 'Escape', OPEN, 'box', false],
  ['Home scrolls to the beginning', 'Home', OPEN, 'body', true, 0],
  ['End scrolls to the end', 'End', OPEN, 'body', true, 900],
  ['PageUp scrolls up', 'PageUp', OPEN, 'body', true, 150],
  ['PageDown scrolls down', 'PageDown', OPEN, 'body', true, 850],
  ['PageDown scrolls from the text box', 'PageDown', OPEN, 'box', true, 850],
  ['Home is the text box’s', 'Home', OPEN, 'box', false],
  ['PageDown is another field’s', 'PageDown', OPEN, 'field', false],
  ['End does not scroll with Shift', 'Shift End', OPEN, 'body', false],
  ['an arrow does not scroll', 'ArrowUp', OPEN, 'body', false],
  ['Ctrl+A selects the conversation', 'Ctrl a', HERE, 'body', true, 'all'],
  ['Ctrl+A is the text box’s', 'Ctrl a', OPEN, 'box', false],
  ['Ctrl+Z restores a dropped text', 'Ctrl z', HERE, 'body', true, opens('lost')],
  ['Ctrl+Z restores one in the empty box', 'Ctrl z', EMPTY_BOX, 'box', true, edits('lost')],
  ['Ctrl+Z is the text’s own', 'Ctrl z', OPEN, 'box', false],
  ['Ctrl+Z is another field’s', 'Ctrl z', HERE, 'field', false],
  ['Ctrl+Z is a dialog’s', 'Ctrl z', DIALOG, 'body', false],
  ['Ctrl+Z restores nothing while a text is composed', 'Ctrl Composing z', HERE, 'body', false],
  ['Ctrl+A selects nothing with Alt', 'Ctrl Alt a', HERE, 'body', false],
  ['Ctrl+Z restores nothing with Shift', 'Ctrl Shift z', HERE, 'body', false],
  ['⌘A is no shortcut here', 'Meta a', HERE, 'body', false],
  ['End ends a composition', 'Composing End', HERE, 'body', false],
  ['Ctrl+F opens the find bar', 'Ctrl f', HERE, 'body', true, act.findOpened()],
  ['Ctrl+F opens nothing with Shift', 'Ctrl Shift f', HERE, 'body', false],
  ['Ctrl+F opens nothing behind a dialog', 'Ctrl f', DIALOG, 'body', true],
  ['Ctrl+F is the sign-in form’s', 'Ctrl f', LOGIN, 'body', false],
  ['Ctrl+P asks main', 'Ctrl p', HERE, 'body', true, ['action', user.dialogRequested({ dialog: 'print' })]],
  ['Ctrl+P is the sign-in form’s', 'Ctrl p', LOGIN, 'body', false],
])('of keys, %s', (...[, keys, actions, kind, isPrevented, ...effects]) => {
  expect(openWindow(actions, kind).press(keys)).toEqual([isPrevented, ...effects]);
});

test('a key or a paste that something else in the window takes does nothing more, and a dropped text is restored once', () => {
  const { press, happen, store, done } = openWindow();
  for (const keys of ['a', 'Ctrl z', 'Ctrl f', 'PageUp']) expect(press(keys, true)).toEqual([true]);
  const clipboardData = { getData: () => 'a', files: [] };
  expect(happen('paste', { clipboardData }, true)).toEqual([true]);
  expect(happen('paste', { clipboardData: null })).toEqual([false]);
  expect([press('Ctrl z'), press('Ctrl z')]).toEqual([[true, opens('lost')], [false]]);
  store.dispatch(act.textBoxSent());
  expect([done().length, press('Ctrl z')]).toEqual([1, [false]]);
});

test('main’s menu prints, and opens the find bar or selects its text, unless a dialog has the keys', () => {
  const { press, emit, done } = openWindow();
  press('Ctrl f');
  emit('find');
  emit('print');
  expect([...done(), ...press('Ctrl f')]).toEqual(['select', 'print', true, 'select']);
  for (const elsewhere of [LOGIN, FAILED]) {
    const { emit: order, done: doneThere } = openWindow(elsewhere);
    order('find');
    expect(doneThere()).toEqual([]);
  }
  const behind = openWindow(DIALOG);
  behind.emit('find');
  expect(behind.done()).toEqual([]);
  // Its event `close` follows.
  behind.has.dialog = false;
  behind.emit('find');
  expect(behind.done()).toEqual([act.findOpened()]);
  // The first of two alerts is closed; the second is not open yet.
  for (const effects of [['select'], []]) {
    behind.store.dispatch(act.alertShown({ text: 'a' }));
    behind.done();
    behind.emit('find');
    expect(behind.done()).toEqual(effects);
  }
});

const FULL = 'x'.repeat(STATE_TEXT_LENGTH);
const LONG = `${FULL}x`;
const SHORTENED = act.noteShown({ text: PASTE_SHORTENED });

test.each<[string, string[], WindowStateAction[], Focus, isPrevented: boolean, ...effects: unknown[]]>([
  ['a text opens the text box', ['a\r\nb\rc'], HERE, 'body', true, opens('a\nb\nc')],
  ['a text that fits has no note', [FULL], HERE, 'body', true, opens(FULL)],
  ['a text is added to the open one', ['a'], OPEN, 'body', true, edits('a'), 'focus'],
  ['a text is left to the text box', ['a'], OPEN, 'box', false],
  ['a text is left to another field', [LONG], HERE, 'field', false],
  ['a text is left to a dialog', ['a'], DIALOG, 'body', false],
  ['a text wins over the picture of a cell', ['a', 'cell.png'], HERE, 'body', true, opens('a')],
  ['a file is sent', ['', 'b.txt'], HERE, 'body', true, 'files'],
  ['a file is sent from the text box', ['', 'b.txt'], HERE, 'box', true, 'files'],
  ['a file is left to a dialog', ['', 'b.txt'], DIALOG, 'body', false],
  ['a file is sent with its address', ['file:///a/b.txt', 'b.txt'], HERE, 'body', true, 'files'],
  ['a text is shortened with a note', [LONG], HERE, 'body', true, SHORTENED, opens(LONG)],
  ['a text that is too long is left to the text box, with a note', [LONG], OPEN, 'box', false, SHORTENED],
  ['nothing is no text', [''], HERE, 'body', false],
  ['a text is left to a failed start', ['a'], FAILED, 'body', false],
])('of what is pasted, %s', (...[, [text = '', ...names], actions, kind, isPrevented, ...effects]) => {
  expect(openWindow(actions, kind).paste(text, ...names)).toEqual([isPrevented, ...effects]);
});

test.each([
  ['0123456789abcdef', '0123456789ab'],
  ['0123456789a👋', '0123456789a'],
])('a pasted text without room is cut between two characters: %s to %s', (pasted, kept) => {
  const { box, paste } = openWindow(OPEN);
  Object.assign(box, { value: LONG.slice(0, -11), selectionStart: 3, selectionEnd: 5 });
  const text = `xxx${kept}${'x'.repeat(STATE_TEXT_LENGTH - 15)}`;
  const note = act.noteShown({ text: PASTE_CUT });
  expect(paste(pasted)).toEqual([true, note, edits(text), 'focus']);
});

test.each([
  ['notes 1.txt\ncat.png', true],
  ['/home/ada/notes 1.txt\n/home/ada/cat.png\n', true],
  ['C:\\Users\\Ada\\notes 1.txt\nC:\\Users\\Ada\\cat.png', true],
  ['file:///home/ada/notes%201.txt\nfile:///home/ada/cat.png', true],
  ['notes 1.txt', false],
  ['notes 1.txt\nanother name', false],
  ['a cell\nof a table', false],
  ['notes 1.txt\ncat.png\nmore', false],
])('tells the names of the files from a text of its own in %j: %s', (text, isNames) => {
  expect(namesFiles(text, [{ name: 'notes 1.txt' }, { name: 'cat.png' }])).toBe(isNames);
});

test('a drag of files is shown from its entry until it leaves the window or drops, and the browser opens nothing', () => {
  const { happen } = openWindow();
  const drag = (type: string, types: string[], more: object = {}) =>
    happen(type, { dataTransfer: { types }, ...more });
  expect(drag('dragenter', ['text/plain'])).toEqual([false]);
  for (const type of ['dragleave', 'drop']) {
    const isPrevented = type === 'drop';
    expect(drag('dragenter', ['Files'])).toEqual([false, act.fileDropEntered()]);
    expect(drag('dragenter', ['Files'])).toEqual([false]);
    expect(drag('dragleave', ['Files'], { relatedTarget: {} })).toEqual([false]);
    expect(drag(type, ['Files'], { relatedTarget: null })).toEqual([isPrevented, act.fileDropLeft()]);
    expect(drag(type, ['Files'], { relatedTarget: null })).toEqual([isPrevented]);
  }
  expect(drag('drop', ['text/uri-list'])).toEqual([true]);
  const dataTransfer = { types: ['Files'], dropEffect: 'copy' };
  const over = (done: boolean) => [happen('dragover', { dataTransfer }, done), dataTransfer.dropEffect];
  expect([over(true), over(false)].join(' ')).toBe('true,copy true,none');
  const login = openWindow(LOGIN, 'field');
  expect(login.happen('dragenter', { dataTransfer })).toEqual([false]);
  for (const type of ['dragover', 'drop'])
    expect(login.happen(type, { dataTransfer: { types: ['text/plain'] } })).toEqual([false]);
  expect(login.happen('drop', { dataTransfer })).toEqual([true]);
});

test.each<[string, number, { selection?: string; field?: object }, { clipboardData?: string }]>([
  ['the selection', 5, { selection: 'hello' }, {}],
  ['no selection', 0, {}, {}],
  ['the selection of a field', 3, { selection: 'hello', field: { selectionStart: 1, selectionEnd: 4 } }, {}],
  ['a password', 0, { selection: 'hello', field: { selectionEnd: 4, type: 'password' } }, {}],
  ['what the conversation put there itself', 12, { selection: 'hello' }, { clipboardData: 'two messages' }],
])('a copy of %s is reported with its length, %i', (...[, length, { selection = '', field }, own]) => {
  const { happen, has, document } = openWindow();
  has.selection = selection;
  if (field) document.activeElement = Object.assign(new Target('field'), field);
  const isOwn = own.clipboardData !== undefined;
  const reported = length === 0 ? [] : [copied({ kind: 'selection', length, outcome: 'copied' })];
  const clipboardData = { getData: () => own.clipboardData };
  expect(happen('copy', { clipboardData }, isOwn)).toEqual([isOwn, ...reported]);
});

test('a copy of a block of code is reported when its button was pressed, copied or not', () => {
  const { window, done } = openWindow();
  for (const isCopied of [true, false]) window.dispatchEvent(new CodeCopied(7, isCopied));
  expect(new CodeCopied(7, true).bubbles).toBe(true);
  const code = { kind: 'code', length: 7 } as const;
  expect(done()).toEqual([copied({ ...code, outcome: 'copied' }), copied({ ...code, outcome: 'failed' })]);
});

/** The commands of a window; `done` has also what they send to main. */
function commandsOf(actions: readonly WindowStateAction[], changed: object = {}) {
  const { store, tell, ...opened } = openWindow(actions);
  const clock = virtualClock();
  const getState = () => ({ ...sharedReducer(undefined, { type: '' }), ...changed, ...store.getState() });
  // The commands that are tested send only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const raw = { send: (...args: unknown[]) => tell(args) } as unknown as Window['parley'];
  const bridge = { parley: showOwnMessages(raw, { getState }), tools: opened.tools };
  const signInForm = { edit() {}, submit() {}, reset() {} };
  const deps = { bridge, store: { ...store, getState }, signInForm, texts: opened.texts, clock };
  return { ...opened, clock, commands: createWindowCommands(deps) };
}

const messageOf = (text: string) => ['message', { category: 'text', text, blob: null }];
const FITTING = 'x'.repeat(249);

test.each([
  ['', []],
  [FITTING, [act.textBoxSent(), messageOf(FITTING)]],
  [`${FITTING}x`, [act.textBoxRefused({ length: 250 }), act.alertShown({ text: TEXT_TOO_LONG })]],
])('a text is sent, or refused, by its length: %s', (text, effects) => {
  const { commands, done } = commandsOf([CONVERSATION, opens(text)]);
  commands.sendText();
  expect(done()).toEqual(effects);
});

test('a text replaces the question that is edited, while it is the last one', () => {
  // The window's state has a shorter one.
  const id = 'q'.repeat(STATE_TEXT_LENGTH + 1);
  const conversation = conversationOf({ person: 'Ada', messages: [message(id, { modifier: 'client' })] });
  for (const edited of [limitText(id), 'q0']) {
    const words = edited === 'q0' ? ['other'] : ['edit', 'other'];
    const actions = [CONVERSATION, act.textBoxOpened({ text: 'other', edits: edited })];
    const { commands, done } = commandsOf(actions, { conversation, words: ['edit'] });
    commands.sendText();
    expect(done()).toEqual([act.textBoxSent(), ...words.map(messageOf)]);
  }
});

test('a test and a change of the assistant are told to the window and to main', () => {
  const { commands, done } = commandsOf(HERE);
  const change = { url: 'https://a.org', model: 'm', prompt: '', key: null, keepsKey: true };
  commands.testAssistant(change);
  commands.saveAssistant(change);
  const works = (['test', 'save'] as const).map((work) => act.assistantSubmitted({ work }));
  const requests = [user.assistantTestRequested(change), user.assistantSaveRequested(change)];
  expect(done()).toEqual([...works, ...requests.map((one) => ['action', one])]);
});

test('an own message shows the end of the conversation only where a new one does not, and with a connection', () => {
  const connected = { status: 'connected', closedBecause: null };
  const stays = { ...sharedReducer(undefined, { type: '' }).preferences, stayWhereIRead: true };
  for (const [changed, tops] of [
    [{ connection: connected, preferences: stays }, [900]],
    [{ connection: connected }, []],
    [{ preferences: stays }, []],
  ] as const) {
    const { commands, done } = commandsOf(HERE, changed);
    for (const tell of ['minimize', 'close', 'logOut'] as const) commands[tell]();
    commands.sendWord('stop');
    const told = [['nav', 'minimize'], ['nav', 'close'], ['logout'], messageOf('stop')];
    expect(done()).toEqual([...told, ...tops]);
  }
});

test('the last of several zooms is dispatched once, when it rests, or before the next action, and not after the viewer is closed', () => {
  const { commands, done, clock } = commandsOf([CONVERSATION, act.imageOpened({ message: 0, item: 0 })]);
  const zoom = { factor: 2, x: 0, y: 0 };
  const waits = (ms: number) => [clock.advance(ms), ...done()].slice(1);
  commands.zoomImage(FIT);
  expect(waits(REST_MS - 1)).toEqual([]);
  commands.zoomImage(zoom);
  expect(waits(REST_MS - 1)).toEqual([]);
  expect([waits(1), waits(2 * REST_MS)]).toEqual([[act.imageZoomed(zoom)], []]);
  commands.zoomImage(zoom);
  for (const effects of [[act.imageZoomed(zoom), act.findOpened()], [act.findOpened()]]) {
    commands.dispatch(act.findOpened());
    expect([done(), waits(REST_MS)]).toEqual([effects, []]);
  }
  commands.zoomImage(zoom);
  done();
  commands.dispatch(act.viewerClosed());
  commands.zoomImage(zoom);
  expect(waits(REST_MS)).toEqual([act.imageZoomed(zoom), act.viewerClosed()]);
});

test('of what is dropped, the first item counts: an address before a file is not sent; a folder is refused', () => {
  const { commands, done } = commandsOf(HERE);
  const address = { kind: 'string', getAsFile: () => null, webkitGetAsEntry: expect.unreachable };
  const folder = { isDirectory: true, name: 'pictures' };
  const dropped = { kind: 'file', getAsFile: () => new File([], 'pictures'), webkitGetAsEntry: () => folder };
  const offer = (give: 'dropFile' | 'pasteFiles', ...items: object[]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts of dropped data that are used
    commands[give]({ items } as never);
    return done();
  };
  expect(offer('dropFile', address, dropped)).toEqual([]);
  const file = { name: 'pictures', size: 0 };
  const refused = [act.fileOffered({ ...file, type: '' }), act.fileRefused({ ...file, reason: 'folder' })];
  for (const give of ['dropFile', 'pasteFiles'] as const)
    expect(offer(give, dropped, address).slice(0, 2)).toEqual(refused);
});

test('an older text is recalled into the text box, and says whether there was one', () => {
  const { commands, texts, done } = commandsOf(EMPTY_BOX);
  expect([commands.recallText('newer'), done()]).toEqual([false, []]);
  texts.keepSent('before');
  expect([commands.recallText('older'), done()]).toEqual([true, [edits('before')]]);
});
