import {
  alertDismissed,
  dialogClosed,
  findClosed,
  findEdited,
  findOpened,
  menuClosed,
  menuOpened,
  noteDismissed,
  textBoxClosed,
  textBoxEdited,
  textBoxOpened,
} from '#shared/actions/windowActions.ts';
import {
  connectionRequested,
  dataDeletionRequested,
  diagnosticsCopyRequested,
  dialogRequested,
  inspectorRequested,
  playbackRequested,
  playbackStopRequested,
  preferencesChanged,
  recordingToggleRequested,
  sessionSaveRequested,
  startRetryRequested,
  startSaveRequested,
  windowZoomRequested,
  assistantModelRequested,
  assistantTestCancelRequested,
} from '#shared/actions/userActions.ts';
import { type Conversation, toSnapshot } from '#shared/conversation/conversation.ts';
import type * as page from '../programs/pageProgram.ts';
import type { SimWindow } from '../machine/browserWindows.ts';
import type { Desktop, MenuEntry } from '../machine/electron.ts';
import { PageFile } from '../machine/pageGlobals.ts';
import type { Random } from '../world/world.ts';
import { ENDPOINT_KEY, IDENTITIES } from './identities.ts';

/** The objects of a window that its person uses. */
export type PageProgram = typeof page;

/** What a person does with a window. */
interface Hand {
  readonly page: PageProgram;
  readonly window: SimWindow;
  readonly desktop: Desktop;
  readonly random: Random;
  /** The virtual time. */
  readonly now: number;
}

/** Until when the person of a window waits for an answer. */
const waits = new WeakMap<SimWindow, number>();

/** How long a person waits for the form after a sign-in: each input delays it. */
const PATIENCE_MS = 5000;

interface Act {
  readonly weight: number;
  readonly view: 'login' | 'conversation' | 'any';
  run(hand: Hand): void;
}

/** The texts that people send: some are words that the assistant knows (`help` lists them). */
const TEXTS = [
  'hello',
  'stream',
  'stream',
  'many 12',
  'many 3',
  'html',
  'image',
  'voice',
  'file',
  'several',
  'admin',
  'notify',
  'help',
  'new topic',
  'again',
  'stop',
  'continue',
  'edit',
  'rename Ada King',
  'drop',
  'close',
  'signout',
  'ünïcode 🙂 text',
  'x'.repeat(249),
  'y'.repeat(250),
  ' ',
];

const own = ({ page }: Hand) => page.store.getState().own;

function signIn({ page, random, window, now }: Hand): void {
  waits.set(window, now + PATIENCE_MS);
  const { email, password, name } = random.pick(IDENTITIES);
  const isNew = random.chance(0.5);
  page.signInForm.edit({ email });
  page.signInForm.edit({ password: random.chance(0.1) ? `${password}x` : password });
  page.signInForm.edit({ name: isNew ? name : '' });
  if (random.chance(0.8)) page.signInForm.submit();
}

function sendText(hand: Hand): void {
  const { page, random } = hand;
  const text = random.pick(TEXTS);
  if (own(hand).textBox === null) page.store.dispatch(textBoxOpened({ text: text.slice(0, 1) }));
  page.store.dispatch(textBoxEdited({ text }));
  page.commands.sendText();
}

/** Opens the text box with the last question, as *Edit* does, and sends another text. */
function editQuestion(hand: Hand): void {
  const { page } = hand;
  const { messages } = toSnapshot(page.store.getState().conversation);
  const question = messages.findLast(({ modifier }) => modifier === 'client');
  if (question?.id === undefined || own(hand).textBox !== null) return;
  page.store.dispatch(textBoxOpened({ text: 'edited', edits: question.id }));
  page.store.dispatch(textBoxEdited({ text: 'an edited question' }));
  page.commands.sendText();
}

function sendFile({ page, random }: Hand): void {
  const [type, name] = random.pick([
    ['image/png', 'picture.png'],
    ['text/plain', 'notes.txt'],
    ['', 'data'],
  ]);
  const size = random.chance(0.1) ? 1_000_000 : random.pick([0, 12, 3000, 60_000]);
  const file: unknown = new PageFile([Buffer.alloc(size, 65)], name ?? '', { type: type ?? '' });
  // The stand-in has what the product uses of a file.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  page.commands.sendFile(file as File);
}

function play({ page }: Hand): void {
  const { conversation }: { readonly conversation: Conversation } = page.store.getState();
  const { messages } = toSnapshot(conversation);
  const at = messages.findLastIndex(({ content = [] }) =>
    content.some(({ category }) => category === 'audio'),
  );
  const item = messages[at]?.content?.findIndex(({ category }) => category === 'audio') ?? -1;
  if (item >= 0) page.commands.send(playbackRequested({ message: at, item }));
}

const PREFERENCES = [
  { audio: true },
  { audio: true },
  { audio: false },
  { theme: 'dark' },
  { sendAllFiles: true },
  { stayWhereIRead: true },
  { stayWhereIRead: false },
  { captureDays: 3 },
  { captureMegabytes: 1 },
] as const;

const DIALOGS = ['settings', 'assistant', 'models', 'about', 'deleteData', 'export', 'find'] as const;

/** Returns the endpoint's settings as a person enters them. */
const settings = (random: Random) => ({
  url: random.pick(['https://models.example/v1', 'https://models.example/v1', 'not an address']),
  model: random.pick(['small', null]),
  prompt: random.pick(['Be short.', null]),
  key: random.pick([ENDPOINT_KEY, null]),
  keepsKey: false,
});

const entries = (menu: readonly MenuEntry[]): readonly MenuEntry[] =>
  menu.flatMap((entry) => [entry, ...entries(entry.submenu ?? [])]);

/** Chooses any entry of the application's menu or the tray. */
function chooseMenu({ desktop, random }: Hand): void {
  const all = [...entries(desktop.menu()), ...entries(desktop.tray())];
  const usable = all.filter(
    ({ click, enabled = true, label }) =>
      click !== undefined && enabled && label !== 'Quit' && label !== 'Quit Parley',
  );
  if (usable.length > 0) random.pick(usable).click?.();
}

const ACTS: readonly Act[] = [
  { weight: 12, view: 'login', run: signIn },
  { weight: 1, view: 'login', run: ({ page }) => page.signInForm.submit() },
  {
    weight: 1,
    view: 'login',
    run: ({ page, random }) => page.signInForm.edit({ email: random.pick(['', 'no', 'ada@example.org']) }),
  },
  { weight: 14, view: 'conversation', run: sendText },
  { weight: 2, view: 'conversation', run: editQuestion },
  { weight: 3, view: 'conversation', run: sendFile },
  {
    weight: 1,
    view: 'conversation',
    run: ({ page, random }) =>
      page.commands.sendWord(random.pick(['stop', 'again', 'continue', 'new topic', 'cancel'])),
  },
  { weight: 1, view: 'conversation', run: ({ page }) => page.commands.logOut() },
  { weight: 2, view: 'conversation', run: ({ page }) => page.commands.send(recordingToggleRequested()) },
  { weight: 2, view: 'conversation', run: play },
  { weight: 1, view: 'conversation', run: ({ page }) => page.commands.send(playbackStopRequested()) },
  { weight: 2, view: 'any', run: ({ page }) => page.commands.send(connectionRequested()) },
  {
    weight: 2,
    view: 'any',
    run: ({ page, random }) => page.commands.send(preferencesChanged(random.pick(PREFERENCES))),
  },
  {
    weight: 1,
    view: 'any',
    run: ({ page, random }) => page.commands.send(dialogRequested({ dialog: random.pick(DIALOGS) })),
  },
  { weight: 1, view: 'any', run: ({ page }) => page.store.dispatch(dialogClosed()) },
  { weight: 1, view: 'any', run: ({ page }) => page.store.dispatch(alertDismissed()) },
  { weight: 1, view: 'any', run: ({ page }) => page.store.dispatch(noteDismissed()) },
  {
    weight: 1,
    view: 'conversation',
    run: ({ page }) => page.store.dispatch(textBoxOpened({ text: 'a draft' })),
  },
  {
    weight: 1,
    view: 'conversation',
    run: (hand) => own(hand).textBox !== null && hand.page.store.dispatch(textBoxClosed()),
  },
  { weight: 1, view: 'conversation', run: ({ page }) => void page.commands.recallText('older') },
  { weight: 1, view: 'conversation', run: ({ page }) => page.store.dispatch(findOpened()) },
  {
    weight: 1,
    view: 'conversation',
    run: (hand) => own(hand).find !== null && hand.page.store.dispatch(findEdited({ text: 'you' })),
  },
  { weight: 1, view: 'conversation', run: ({ page }) => page.store.dispatch(findClosed()) },
  {
    weight: 1,
    view: 'any',
    run: ({ page }) => (page.store.dispatch(menuOpened()), page.store.dispatch(menuClosed())),
  },
  { weight: 1, view: 'any', run: ({ page }) => page.commands.send(sessionSaveRequested()) },
  { weight: 0.3, view: 'any', run: ({ page }) => page.commands.send(inspectorRequested()) },
  { weight: 0.5, view: 'any', run: ({ page }) => page.commands.send(diagnosticsCopyRequested()) },
  {
    weight: 0.3,
    view: 'any',
    run: ({ page, random }) =>
      page.commands.send(dataDeletionRequested({ platformFile: random.chance(0.4) })),
  },
  { weight: 0.5, view: 'any', run: ({ page }) => page.commands.send(startRetryRequested()) },
  { weight: 0.3, view: 'any', run: ({ page }) => page.commands.send(startSaveRequested()) },
  {
    weight: 0.6,
    view: 'any',
    run: ({ page, random }) => page.commands.saveAssistant(random.chance(0.4) ? null : settings(random)),
  },
  {
    weight: 0.3,
    view: 'any',
    run: ({ page, random }) => page.commands.testAssistant(random.chance(0.4) ? null : settings(random)),
  },
  { weight: 0.2, view: 'any', run: ({ page }) => page.commands.send(assistantTestCancelRequested()) },
  { weight: 0.2, view: 'any', run: ({ page }) => page.commands.send(assistantModelRequested('large')) },
  {
    weight: 0.3,
    view: 'any',
    run: ({ page, random }) =>
      page.commands.send(windowZoomRequested({ zoom: random.pick(['in', 'out', 'reset']) })),
  },
  { weight: 2, view: 'any', run: ({ window }) => window.webContents.reload() },
  { weight: 1, view: 'any', run: ({ page }) => page.commands.close() },
  { weight: 1, view: 'any', run: ({ page }) => page.commands.minimize() },
  {
    weight: 1,
    view: 'any',
    run: ({ window, random }) => (random.chance(0.5) ? window.focus() : window.blur()),
  },
  {
    weight: 1,
    view: 'any',
    run: ({ desktop }) => desktop.windows.size < 3 && desktop.app.emit('new-window-for-tab'),
  },
  { weight: 2, view: 'any', run: chooseMenu },
  { weight: 0.5, view: 'any', run: ({ desktop }) => void desktop.app.emit('second-instance') },
];

/** Does something with a window: a random act that is possible in its view. */
export function act(hand: Hand): void {
  const { view } = own(hand);
  const isWaiting = view === 'login' && (waits.get(hand.window) ?? 0) > hand.now;
  const possible = ACTS.filter((one) => one.view === 'any' || (one.view === view && !isWaiting));
  const total = possible.reduce((sum, { weight }) => sum + weight, 0);
  let at = hand.random.next() * total;
  for (const one of possible) {
    at -= one.weight;
    if (at <= 0) return one.run(hand);
  }
}
