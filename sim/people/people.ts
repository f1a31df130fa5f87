import * as windowActions from '#shared/actions/windowActions.ts';
import * as userActions from '#shared/actions/userActions.ts';
import { type Conversation, toSnapshot } from '#shared/conversation/conversation.ts';
import type { SimWindow } from '../machine/browserWindows.ts';
import type { Desktop, MenuEntry } from '../machine/electron.ts';
import { PageFile } from '../machine/pageGlobals.ts';
import type { Random } from '../world/world.ts';
import { ENDPOINT_KEY, IDENTITIES } from './identities.ts';
import { CONVERSATION_ACTS, type PageProgram, WINDOW_ACTS } from './viewActs.ts';

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

type Act = readonly [weight: number, view: 'login' | 'conversation' | 'any', run: (hand: Hand) => unknown];

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
  const { error, email: last, name: lastName } = page.store.getState().own.signInForm;
  const again = error === null ? undefined : IDENTITIES.find((one) => one.email === last);
  const { email, password, name } = again ?? random.pick(IDENTITIES);
  // After an error, the person registers instead of signing in, or the other way round.
  const isNew = again === undefined ? random.chance(0.5) : lastName === '';
  page.signInForm.edit({ email });
  page.signInForm.edit({ password: random.chance(0.1) ? `${password}x` : password });
  page.signInForm.edit({ name: isNew ? name : '' });
  if (random.chance(0.8)) page.signInForm.submit();
}

function sendText(hand: Hand): void {
  const { page, random } = hand;
  const text = random.pick(TEXTS);
  if (own(hand).textBox === null)
    page.store.dispatch(windowActions.textBoxOpened({ text: text.slice(0, 1) }));
  page.store.dispatch(windowActions.textBoxEdited({ text }));
  page.commands.sendText();
}

/** Opens the text box with the last question, as *Edit* does, and sends another text. */
function editQuestion(hand: Hand): void {
  const { page } = hand;
  const { messages } = toSnapshot(page.store.getState().conversation);
  const question = messages.findLast(({ modifier }) => modifier === 'client');
  if (question?.id === undefined || own(hand).textBox !== null) return;
  page.store.dispatch(windowActions.textBoxOpened({ text: 'edited', edits: question.id }));
  page.store.dispatch(windowActions.textBoxEdited({ text: 'an edited question' }));
  page.commands.sendText();
}

function sendFile({ page, random }: Hand): void {
  const [type, name] = random.pick([
    ['image/png', 'picture.png'],
    ['text/plain', 'notes.txt'],
    ['', 'data'],
  ]);
  const size = random.chance(0.1) ? 1_000_000 : random.pick([0, 12, 3000, 60_000]);
  page.commands.sendFile(fileOf(size, name ?? '', type ?? ''));
}

function fileOf(size: number, name: string, type: string): File {
  const file: unknown = new PageFile([Buffer.alloc(size, 65)], name, { type });
  // The stand-in has what the product uses of a file.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return file as File;
}

/** Sends 24 files. Their texts together are longer than one message to a window, so the window fetches the conversation in parts. */
function sendManyFiles({ page }: Hand): void {
  for (let count = 0; count < 24; count++) page.commands.sendFile(fileOf(12_000, 'part.txt', 'text/plain'));
}

function play({ page }: Hand): void {
  const { conversation }: { readonly conversation: Conversation } = page.store.getState();
  const { messages } = toSnapshot(conversation);
  const at = messages.findLastIndex(({ content = [] }) =>
    content.some(({ category }) => category === 'audio'),
  );
  const item = messages[at]?.content?.findIndex(({ category }) => category === 'audio') ?? -1;
  if (item >= 0) page.commands.send(userActions.playbackRequested({ message: at, item }));
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
  [12, 'login', signIn],
  [1, 'login', ({ page }) => page.signInForm.submit()],
  [
    1,
    'login',
    ({ page, random }) => page.signInForm.edit({ email: random.pick(['', 'no', 'ada@example.org']) }),
  ],
  [14, 'conversation', sendText],
  [2, 'conversation', editQuestion],
  [3, 'conversation', sendFile],
  [
    1,
    'conversation',
    ({ page, random }) =>
      page.commands.sendWord(random.pick(['stop', 'again', 'continue', 'new topic', 'cancel'])),
  ],
  [1, 'conversation', ({ page }) => page.commands.logOut()],
  [2, 'conversation', ({ page }) => page.commands.send(userActions.recordingToggleRequested())],
  [2, 'conversation', play],
  [1, 'conversation', ({ page }) => page.commands.send(userActions.playbackStopRequested())],
  [2, 'any', ({ page }) => page.commands.send(userActions.connectionRequested())],
  [
    2,
    'any',
    ({ page, random }) => page.commands.send(userActions.preferencesChanged(random.pick(PREFERENCES))),
  ],
  [
    1,
    'any',
    ({ page, random }) => page.commands.send(userActions.dialogRequested({ dialog: random.pick(DIALOGS) })),
  ],
  [1, 'any', ({ page }) => page.store.dispatch(windowActions.dialogClosed())],
  [1, 'any', ({ page }) => page.store.dispatch(windowActions.alertDismissed())],
  [1, 'any', ({ page }) => page.store.dispatch(windowActions.noteDismissed())],
  [1, 'conversation', ({ page }) => page.store.dispatch(windowActions.textBoxOpened({ text: 'a draft' }))],
  [
    1,
    'conversation',
    (hand) => own(hand).textBox !== null && hand.page.store.dispatch(windowActions.textBoxClosed()),
  ],
  [1, 'conversation', ({ page }) => void page.commands.recallText('older')],
  [1, 'conversation', ({ page }) => page.store.dispatch(windowActions.findOpened())],
  [
    1,
    'conversation',
    (hand) => own(hand).find !== null && hand.page.store.dispatch(windowActions.findEdited({ text: 'you' })),
  ],
  [1, 'conversation', ({ page }) => page.store.dispatch(windowActions.findClosed())],
  [
    1,
    'any',
    ({ page }) => (
      page.store.dispatch(windowActions.menuOpened()),
      page.store.dispatch(windowActions.menuClosed())
    ),
  ],
  [1, 'any', ({ page }) => page.commands.send(userActions.sessionSaveRequested())],
  [0.3, 'any', ({ page }) => page.commands.send(userActions.inspectorRequested())],
  [0.5, 'any', ({ page }) => page.commands.send(userActions.diagnosticsCopyRequested())],
  [
    0.3,
    'any',
    ({ page, random }) =>
      page.commands.send(userActions.dataDeletionRequested({ platformFile: random.chance(0.4) })),
  ],
  [0.5, 'any', ({ page }) => page.commands.send(userActions.startRetryRequested())],
  [0.3, 'any', ({ page }) => page.commands.send(userActions.startSaveRequested())],
  [
    0.6,
    'any',
    ({ page, random }) => page.commands.saveAssistant(random.chance(0.4) ? null : settings(random)),
  ],
  [
    0.3,
    'any',
    ({ page, random }) => page.commands.testAssistant(random.chance(0.4) ? null : settings(random)),
  ],
  [0.2, 'any', ({ page }) => page.commands.send(userActions.assistantTestCancelRequested())],
  [0.2, 'any', ({ page }) => page.commands.send(userActions.assistantModelRequested('large'))],
  [
    0.3,
    'any',
    ({ page, random }) =>
      page.commands.send(userActions.windowZoomRequested({ zoom: random.pick(['in', 'out', 'reset']) })),
  ],
  [2, 'any', ({ window }) => window.webContents.reload()],
  [1, 'any', ({ page }) => page.commands.close()],
  [1, 'any', ({ page }) => page.commands.minimize()],
  [1, 'any', ({ window, random }) => (random.chance(0.5) ? window.focus() : window.blur())],
  [1, 'any', ({ desktop }) => desktop.windows.size < 3 && desktop.app.emit('new-window-for-tab')],
  [2, 'any', chooseMenu],
  [0.5, 'any', ({ desktop }) => void desktop.app.emit('second-instance')],
  [0.6, 'conversation', sendManyFiles],
  [0.3, 'conversation', ({ desktop }) => desktop.download()],
  ...CONVERSATION_ACTS.map((run): Act => [0.5, 'conversation', ({ page, random }) => run(page, random)]),
  ...WINDOW_ACTS.map((run): Act => [0.3, 'any', ({ page, random }) => run(page, random)]),
];

/** Does something with a window: a random act that is possible in its view. */
export function act(hand: Hand): void {
  const { view } = own(hand);
  const isWaiting = view === 'login' && (waits.get(hand.window) ?? 0) > hand.now;
  const possible = ACTS.filter(([, where]) => where === 'any' || (where === view && !isWaiting));
  const total = possible.reduce((sum, [weight]) => sum + weight, 0);
  let at = hand.random.next() * total;
  for (const [weight, , run] of possible) {
    at -= weight;
    if (at <= 0) return void run(hand);
  }
}
