import { afterEach, expect, test, vi } from 'vitest';
import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { copied } from '#shared/actions/outputActions.ts';
import { dialogRequested } from '#shared/actions/userActions.ts';
import * as act from '#shared/actions/windowActions.ts';
import { virtualClock } from '#shared/clock.ts';
import { REST_MS, STATE_TEXT_LENGTH } from '#shared/limits.ts';
import { sharedReducer } from '#shared/store/rootReducer.ts';
import { toolsBridge } from '#tests/builders/syncBridge.ts';
import { conversationOf, message } from '#tests/builders/updateOf.ts';
import { CodeCopied } from '#ui/code/decorateCode.ts';
import { createWindowCommands, showOwnMessages } from '../commands/createWindowCommands.ts';
import { PASTE_CUT, PASTE_SHORTENED, TEXT_TOO_LONG } from '../commands/sendFile.ts';
import { createTextMemory } from '../store/createTextMemory.ts';
import { isBehindDialog } from '../store/windowStateStore.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { FIELDS, TEXT_BOX, handleFind, handleKeys, handlePrint, handleUndo } from './handleKeys.ts';
import { handleDrags, handlePaste, refuseDrops, reportCopies } from './handleTransfers.ts';

afterEach(() => vi.unstubAllGlobals());

/** An element that has the focus: the text box, another field, or none of both. */
class Target extends EventTarget {
  value = '';
  selectionStart = 0;
  selectionEnd = 0;
  type = 'text';
  constructor(readonly kind: 'body' | 'box' | 'field') {
    super();
  }
  closest = (selector: string) =>
    this.kind !== 'body' && (selector === FIELDS || this.kind === 'field' || selector.includes('textarea'))
      ? this
      : null;
  matches = (selector: string) => this.kind === 'box' && [TEXT_BOX, 'textarea'].includes(selector);
  focus = vi.fn<() => void>();
  select = vi.fn<() => void>();
  scrollTop = 500;
  scrollTo = vi.fn<(to: { top: number }) => void>();
  setRangeText(text: string, from: number, to: number): void {
    this.value = this.value.slice(0, from) + text + this.value.slice(to);
  }
}

const NONE = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false };
const CONVERSATION = act.viewChanged({ view: 'conversation' });

/** A window after these actions whose listeners hear events at an element; `happen` returns whether the browser does nothing more. */
function openWindow(actions: readonly WindowStateAction[] = [CONVERSATION], kind: Target['kind'] = 'body') {
  const store = createWindowStateStore();
  for (const action of actions) store.dispatch(action);
  const [box, log, find, target] = [
    new Target('box'),
    new Target('body'),
    new Target('field'),
    new Target(kind),
  ];
  const has = { dialog: true, selection: '' };
  const selected = vi.fn<(one: unknown) => void>();
  const document = {
    querySelector(selector: string) {
      if (selector === TEXT_BOX) return store.getState().own.textBox === null ? null : box;
      if (selector === 'search input') return find;
      return selector === '[role="log"]'
        ? Object.assign(log, { scrollHeight: 900, clientHeight: 400 })
        : has.dialog;
    },
    activeElement: null as Target | null,
    getSelection: () => ({ selectAllChildren: selected, toString: () => has.selection }),
  };
  const page = Object.assign(new EventTarget(), { document });
  const elements = {
    Element: Target,
    HTMLElement: Target,
    HTMLTextAreaElement: Target,
    HTMLInputElement: Target,
  };
  const globals = { window: page, document, ...elements };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  // The tests use the parts of a window that its listeners use.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const listened = page as unknown as Window;
  const { tools, sent, emit } = toolsBridge();
  const texts = createTextMemory(null);
  const pasteFiles = vi.fn<(data: DataTransfer) => void>();
  const print = vi.fn<() => void>();
  store.dispatched.length = 0;
  handleKeys(listened, store);
  handleUndo(listened, store, texts);
  handleFind({ target: listened, tools }, store);
  handlePrint(tools, store, print);
  handlePaste(listened, store, { pasteFiles, pasted: texts.pasted });
  handleDrags(listened, store);
  refuseDrops(listened);
  reportCopies(listened, store);
  const happen = (type: string, more: object = {}, isPrevented = false) => {
    const event = Object.assign(new Event(type, { cancelable: true }), more);
    Object.defineProperty(event, 'target', { value: target });
    if (isPrevented) event.preventDefault();
    page.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const press = (key: string, more: object = {}) =>
    happen('keydown', { ...NONE, key, getModifierState: () => false, ...more });
  const paste = (text: string, ...names: readonly string[]) =>
    happen('paste', { clipboardData: { getData: () => text, files: names.map((name) => ({ name })) } });
  const parts = {
    store,
    window: page,
    document,
    box,
    log,
    find,
    has,
    selected,
    tools,
    sent,
    emit,
    texts,
    pasteFiles,
    print,
  };
  return { ...parts, happen, press, paste, done: () => store.dispatched.splice(0) };
}

const OPEN = [CONVERSATION, act.textBoxOpened({ text: 'hi' })];
const EMPTY_BOX = [CONVERSATION, act.textBoxOpened({ text: '' })];
const ABOUT = act.dialogOpened({ dialog: 'export' });
const ctrl = { ctrlKey: true };

test.each<[string, Parameters<typeof openWindow>, [string, object?], boolean, WindowStateAction[]]>([
  ['a character opens the text box', [], ['a'], true, [act.textBoxOpened({ text: 'a' })]],
  ['one goes to the open box', [OPEN], ['a'], false, []],
  ['one goes to another field', [[CONVERSATION], 'field'], ['a'], false, []],
  ['one goes to a dialog', [[CONVERSATION, ABOUT]], ['a'], false, []],
  ['one goes to the sign-in form', [[act.viewChanged({ view: 'login' })]], ['a'], false, []],
  ['a shortcut opens nothing', [], ['k', ctrl], false, []],
  ['Escape closes the box', [OPEN], ['Escape'], false, [act.textBoxClosed()]],
  ['Escape ends a composition', [OPEN], ['Escape', { isComposing: true }], false, []],
  ['Escape closes no closed box', [], ['Escape'], false, []],
  ['Escape in the box is the box’s', [OPEN, 'box'], ['Escape'], false, []],
])('of keys outside of fields, %s', (...[, given, [key, more], isPrevented, actions]) => {
  const { press, done, box } = openWindow(...given);
  expect([press(key, more), done()]).toEqual([isPrevented, actions]);
  expect(box.focus.mock.calls).toHaveLength(given[0] === OPEN && key === 'a' ? 1 : 0);
});

test.each<[string, Target['kind'], object, number | null]>([
  ['Home', 'body', {}, 0],
  ['End', 'body', {}, 900],
  ['PageUp', 'body', {}, 150],
  ['PageDown', 'body', {}, 850],
  ['PageDown', 'box', {}, 850],
  ['Home', 'box', {}, null],
  ['PageDown', 'field', {}, null],
  ['End', 'body', { shiftKey: true }, null],
  ['ArrowUp', 'body', {}, null],
])('%s in the %s with %o scrolls the conversation to %s', (...[key, kind, more, top]) => {
  const { press, log } = openWindow(OPEN, kind);
  expect(press(key, more)).toBe(top !== null);
  expect(log.scrollTo.mock.calls.map(([to]) => to.top)).toEqual(top === null ? [] : [top]);
});

test('a key that something else in the window takes does nothing more', () => {
  const { happen, done, log, texts } = openWindow();
  texts.keepDropped('lost');
  for (const [key, ctrlKey] of [['a'], ['z', true], ['f', true], ['PageUp']] as const)
    happen('keydown', { ...NONE, key, ctrlKey: ctrlKey === true, getModifierState: () => false }, true);
  expect([done(), log.scrollTo.mock.calls]).toEqual([[], []]);
});

test('Ctrl+A selects the conversation, but not in the text box', () => {
  const { press, selected, log } = openWindow();
  expect([press('a', ctrl), selected.mock.calls]).toEqual([true, [[log]]]);
  expect(openWindow(OPEN, 'box').press('a', ctrl)).toBe(false);
});

test('Ctrl+Z restores a dropped text once, outside of fields and in the empty text box', () => {
  for (const [given, kind, isRestored] of [
    [[CONVERSATION], 'body', true],
    [EMPTY_BOX, 'box', true],
    [OPEN, 'box', false],
    [[CONVERSATION], 'field', false],
    [[CONVERSATION, ABOUT], 'body', false],
  ] as const) {
    const { texts, press, done } = openWindow(given, kind);
    texts.keepDropped('lost');
    const restored =
      given.length === 1 ? act.textBoxOpened({ text: 'lost' }) : act.textBoxEdited({ text: 'lost' });
    expect([press('z', ctrl), done()]).toEqual([isRestored, isRestored ? [restored] : []]);
    expect([press('z', ctrl), done()]).toEqual([false, []]);
  }
});

test('Ctrl+F and main’s menu open the find bar, or select its text, unless a dialog has the keys', () => {
  const { press, emit, find, done } = openWindow();
  expect([press('f', ctrl), done()]).toEqual([true, [act.findOpened()]]);
  emit('find');
  expect([press('f', ctrl), find.select.mock.calls.length, done()]).toEqual([true, 2, []]);
  const behind = openWindow([CONVERSATION, ABOUT]);
  behind.emit('find');
  expect([behind.press('f', ctrl), behind.done()]).toEqual([true, []]);
  // Its event `close` follows.
  behind.has.dialog = false;
  vi.stubGlobal('document', { querySelector: () => null });
  behind.emit('find');
  expect(behind.done()).toEqual([act.findOpened()]);
  expect(openWindow([act.viewChanged({ view: 'login' })]).press('f', ctrl)).toBe(false);
});

test('Ctrl+P asks main to print, which prints', () => {
  const { press, sent, emit, print } = openWindow();
  expect([press('p', ctrl), print.mock.calls.length]).toEqual([true, 0]);
  expect(sent).toEqual([['action', dialogRequested({ dialog: 'print' })]]);
  emit('print');
  expect(print).toHaveBeenCalledOnce();
  expect(openWindow([act.viewChanged({ view: 'login' })]).press('p', ctrl)).toBe(false);
});

const LONG = 'x'.repeat(STATE_TEXT_LENGTH + 1);

test.each<[string, Parameters<typeof openWindow>, string[], boolean, WindowStateAction[]]>([
  ['opens the text box', [], ['a\r\nb'], true, [act.textBoxOpened({ text: 'a\nb' })]],
  ['is added to the open one', [OPEN], ['a'], true, [act.textBoxEdited({ text: 'a' })]],
  ['is left to the text box', [OPEN, 'box'], ['a'], false, []],
  ['is left to another field', [[CONVERSATION], 'field'], ['a'], false, []],
  ['is left to a dialog', [[CONVERSATION, ABOUT]], ['a'], false, []],
  ['wins over the picture of a cell', [], ['a', 'cell.png'], true, [act.textBoxOpened({ text: 'a' })]],
  [
    'is shortened with a note',
    [],
    [LONG],
    true,
    [act.noteShown({ text: PASTE_SHORTENED }), act.textBoxOpened({ text: LONG })],
  ],
])('a pasted text %s', (...[, given, [text = '', ...names], isPrevented, actions]) => {
  const { paste, done, pasteFiles } = openWindow(...given);
  expect([paste(text, ...names), done(), pasteFiles.mock.calls]).toEqual([isPrevented, actions, []]);
});

test('pasted files are sent, also in the text box; a text without room is cut', () => {
  for (const [kind, text] of [
    ['body', ''],
    ['box', ''],
    ['body', 'file:///a/b.txt'],
  ] as const) {
    const { paste, done, pasteFiles } = openWindow([CONVERSATION], kind);
    expect([paste(text, 'b.txt'), done(), pasteFiles.mock.calls.length]).toEqual([true, [], 1]);
  }
  const { box, paste, done } = openWindow(OPEN);
  Object.assign(box, { value: LONG.slice(0, -11), selectionStart: 3, selectionEnd: 5 });
  paste('0123456789abcdef');
  const text = `xxx0123456789ab${'x'.repeat(STATE_TEXT_LENGTH - 15)}`;
  expect(done()).toEqual([act.noteShown({ text: PASTE_CUT }), act.textBoxEdited({ text })]);
});

test('a drag of files is shown from its entry until it leaves the window or drops, and the browser opens nothing', () => {
  const { happen, done } = openWindow();
  const drag = (type: string, types: string[], more: object = {}) =>
    happen(type, { dataTransfer: { types }, ...more });
  drag('dragenter', ['text/plain']);
  expect(done()).toEqual([]);
  for (const end of [
    () => drag('dragleave', ['Files'], { relatedTarget: null }),
    () => drag('drop', ['Files']),
  ]) {
    drag('dragenter', ['Files']);
    drag('dragenter', ['Files']);
    drag('dragleave', ['Files'], { relatedTarget: {} });
    expect(done()).toEqual([act.fileDropEntered()]);
    end();
    end();
    expect(done()).toEqual([act.fileDropLeft()]);
  }
  const dataTransfer = { types: ['Files'], dropEffect: 'copy' };
  expect([happen('dragover', { dataTransfer }), dataTransfer.dropEffect]).toEqual([true, 'none']);
  const login = openWindow([act.viewChanged({ view: 'login' })], 'field');
  expect(login.happen('dragenter', { dataTransfer })).toBe(false);
  expect(login.done()).toEqual([]);
  const dropped = ['dragover', 'drop'].map((type) =>
    login.happen(type, { dataTransfer: { types: ['text/plain'] } }),
  );
  expect([dropped, login.happen('drop', { dataTransfer })]).toEqual([[false, false], true]);
});

test.each<[string, number, { selection?: string; field?: object }, { clipboardData?: string }]>([
  ['the selection', 5, { selection: 'hello' }, {}],
  ['no selection', 0, {}, {}],
  ['the selection of a field', 3, { selection: 'hello', field: { selectionStart: 1, selectionEnd: 4 } }, {}],
  ['a password', 0, { selection: 'hello', field: { selectionEnd: 4, type: 'password' } }, {}],
  ['what the conversation put there itself', 12, { selection: 'hello' }, { clipboardData: 'two messages' }],
])('a copy of %s is reported with its length, %i', (...[, length, { selection = '', field }, own]) => {
  const { happen, has, document, done } = openWindow();
  has.selection = selection;
  if (field) document.activeElement = Object.assign(new Target('field'), field);
  const clipboardData = { getData: () => own.clipboardData };
  happen('copy', { clipboardData }, own.clipboardData !== undefined);
  expect(done()).toEqual(length === 0 ? [] : [copied({ kind: 'selection', length, outcome: 'copied' })]);
});

test('a copy of a block of code is reported when its button was pressed, copied or not', () => {
  const { window, done } = openWindow();
  for (const isCopied of [true, false]) window.dispatchEvent(new CodeCopied(7, isCopied));
  expect(new CodeCopied(7, true).bubbles).toBe(true);
  const code = { kind: 'code', length: 7 } as const;
  expect(done()).toEqual([copied({ ...code, outcome: 'copied' }), copied({ ...code, outcome: 'failed' })]);
});

/** The commands of a window; `sent` has what it sends to main. */
function commandsOf(actions: readonly WindowStateAction[], changed: object = {}) {
  const { store, texts, tools, log, done } = openWindow(actions);
  const sent: unknown[] = [];
  const clock = virtualClock();
  const getState = () => ({ ...sharedReducer(undefined, { type: '' }), ...changed, ...store.getState() });
  // The commands that are tested send only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const raw = { send: (...args: unknown[]) => void sent.push(args) } as unknown as Window['parley'];
  const parley = showOwnMessages(raw, { getState });
  const signInForm = { edit() {}, submit() {}, reset() {} };
  const deps = { bridge: { parley, tools }, store: { ...store, getState }, signInForm, texts, clock };
  return { commands: createWindowCommands(deps), sent, done, clock, log, texts };
}

const messageOf = (text: string) => ['message', { category: 'text', text, blob: null }];

test.each([
  ['', [], []],
  ['x'.repeat(249), [act.textBoxSent()], [messageOf('x'.repeat(249))]],
  ['x'.repeat(250), [act.textBoxRefused({ length: 250 }), act.alertShown({ text: TEXT_TOO_LONG })], []],
])('a text is sent, or refused, by its length: %s', (text, actions, messages) => {
  const { commands, sent, done } = commandsOf([CONVERSATION, act.textBoxOpened({ text })]);
  commands.sendText();
  expect([done(), sent]).toEqual([actions, messages]);
});

test('a text replaces the question that is edited, while it is the last one', () => {
  const conversation = conversationOf({ person: 'Ada', messages: [message('q1', { modifier: 'client' })] });
  for (const [edits, words] of [
    ['q1', ['edit', 'other']],
    ['q0', ['other']],
  ] as const) {
    const actions = [CONVERSATION, act.textBoxOpened({ text: 'other', edits })];
    const { commands, sent } = commandsOf(actions, { conversation, words: ['edit'] });
    commands.sendText();
    expect(sent).toEqual(words.map(messageOf));
  }
});

test('an own message shows the end of the conversation only where a new one does not, and with a connection', () => {
  const connected = { status: 'connected', closedBecause: null };
  const stays = { ...sharedReducer(undefined, { type: '' }).preferences, stayWhereIRead: true };
  for (const [changed, tops] of [
    [{ connection: connected, preferences: stays }, [900]],
    [{ connection: connected }, []],
    [{ preferences: stays }, []],
  ] as const) {
    const { commands, sent, log } = commandsOf([CONVERSATION], changed);
    commands.minimize();
    expect(log.scrollTo).not.toHaveBeenCalled();
    commands.sendWord('stop');
    expect(log.scrollTo.mock.calls.map(([to]) => to.top)).toEqual(tops);
    expect(sent).toEqual([['nav', 'minimize'], messageOf('stop')]);
  }
});

test('a zoom is dispatched when it rests, or before the next action, and not after the viewer is closed', () => {
  const { commands, done, clock } = commandsOf([CONVERSATION, act.imageOpened({ message: 0, item: 0 })]);
  const zoom = { factor: 2, x: 0, y: 0 };
  commands.zoomImage(zoom);
  clock.advance(REST_MS - 1);
  expect(done()).toEqual([]);
  commands.dispatch(act.viewerClosed());
  expect(done()).toEqual([act.imageZoomed(zoom), act.viewerClosed()]);
  commands.zoomImage(zoom);
  clock.advance(REST_MS);
  expect(done()).toEqual([]);
});

test('an older text is recalled into the text box, and says whether there was one', () => {
  const { commands, texts, done } = commandsOf(EMPTY_BOX);
  expect([commands.recallText('older'), done()]).toEqual([false, []]);
  texts.keepSent('before');
  expect([commands.recallText('older'), done()]).toEqual([true, [act.textBoxEdited({ text: 'before' })]]);
});

test('a dialog has the keys until it is closed, and the second of two alerts also before it is open', () => {
  const { getState, dispatch } = createWindowStateStore();
  let open: object | null = {};
  vi.stubGlobal('document', { querySelector: () => open });
  const isBehind = () => isBehindDialog(getState().own);
  expect(isBehind()).toBe(false);
  dispatch(act.alertShown({ text: 'one' }));
  expect(isBehind()).toBe(true);
  open = null;
  expect(isBehind()).toBe(false);
  dispatch(act.alertShown({ text: 'two' }));
  expect(isBehind()).toBe(true);
});
