import * as view from '#shared/actions/windowActions.ts';
import * as user from '#shared/actions/userActions.ts';
import { type Conversation, toSnapshot } from '#shared/conversation/conversation.ts';
import type { SimWindow } from '../machine/browserWindows.ts';
import type { Desktop, MenuEntry } from '../machine/electron.ts';
import { PageFile } from '../machine/pageGlobals.ts';
import type { Random } from '../world/world.ts';
import { ENDPOINT_KEY, IDENTITIES } from '../world/identities.ts';
import { CONVERSATION_ACTS, type PageProgram, WINDOW_ACTS } from './viewActs.ts';

/** What a person does with a window. */
interface Hand {
  readonly page: PageProgram;
  readonly commands: PageProgram['commands'];
  readonly dispatch: PageProgram['store']['dispatch'];
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

type Act = readonly [weight: number, run: (hand: Hand) => unknown];

/** The texts that people send: some are words that the assistant knows (`help` lists them). */
const TEXTS =
  'hello stream stream html image voice file several admin notify help again stop continue edit drop close signout'
    .split(' ')
    .concat(['many 12', 'many 3', 'new topic', 'rename Ada King', 'ünïcode 🙂 text', ' '])
    .concat(['x'.repeat(249), 'y'.repeat(250)]);

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

function send(hand: Hand, text: string): void {
  const { page } = hand;
  if (own(hand).textBox === null) page.store.dispatch(view.textBoxOpened({ text: text.slice(0, 1) }));
  page.store.dispatch(view.textBoxEdited({ text }));
  page.commands.sendText();
}

/** Opens the text box with the last question, as *Edit* does, and sends another text. */
function editQuestion(hand: Hand): void {
  const { page } = hand;
  const { messages } = toSnapshot(page.store.getState().conversation);
  const question = messages.findLast(({ modifier }) => modifier === 'client');
  if (question?.id === undefined || own(hand).textBox !== null) return;
  page.store.dispatch(view.textBoxOpened({ text: 'edited', edits: question.id }));
  page.store.dispatch(view.textBoxEdited({ text: 'an edited question' }));
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

/** Plays the newest sound, or asks for one. */
function play(hand: Hand): void {
  const { page } = hand;
  const { conversation }: { readonly conversation: Conversation } = page.store.getState();
  const { messages } = toSnapshot(conversation);
  const at = messages.findLastIndex(({ content = [] }) =>
    content.some(({ category }) => category === 'audio'),
  );
  const item = messages[at]?.content?.findIndex(({ category }) => category === 'audio') ?? -1;
  if (item >= 0) page.commands.send(user.playbackRequested({ message: at, item }));
  else send(hand, 'voice');
}

function useTextBox(hand: Hand): void {
  const isOpen = own(hand).textBox !== null;
  hand.dispatch(isOpen ? view.textBoxClosed() : view.textBoxOpened({ text: 'a draft' }));
}

function useFind(hand: Hand): void {
  const isOpen = own(hand).find !== null;
  const others = [view.findEdited({ text: 'you' }), view.findClosed()];
  hand.dispatch(isOpen ? hand.random.pick(others) : view.findOpened());
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

const WORDS = ['stop', 'again', 'continue', 'new topic', 'cancel'] as const;

const ZOOMS = ['in', 'out', 'reset'] as const;

const DIALOGS = ['settings', 'assistant', 'models', 'about', 'deleteData', 'export', 'find'] as const;

/** Returns the endpoint's settings as a person enters them; `null` for the demonstration. */
const settings = (random: Random) =>
  random.chance(0.4)
    ? null
    : {
        url: random.pick(['https://models.example/v1', 'https://models.example/v1', 'not an address']),
        model: random.pick(['small', null]),
        prompt: random.pick(['Be short.', null]),
        key: random.pick([ENDPOINT_KEY, null]),
        keepsKey: false,
      };

const deletion = (random: Random) => ({ platformFile: random.chance(0.4) });

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

const ACTS: Readonly<Record<'login' | 'conversation' | 'any', readonly Act[]>> = {
  login: [
    [12, signIn],
    [1, ({ page }) => page.signInForm.submit()],
    [1, ({ page, random }) => page.signInForm.edit({ email: random.pick(['', 'no', 'ada@example.org']) })],
  ],
  conversation: [
    [14, (hand) => send(hand, hand.random.pick(TEXTS))],
    [2, editQuestion],
    [3, sendFile],
    [0.6, sendManyFiles],
    [1, ({ commands, random }) => commands.sendWord(random.pick(WORDS))],
    [1, ({ commands }) => commands.logOut()],
    [2, ({ commands }) => commands.send(user.recordingToggleRequested())],
    [2, play],
    [1, ({ commands }) => commands.send(user.playbackStopRequested())],
    [2, useTextBox],
    [1, ({ commands }) => void commands.recallText('older')],
    [3, useFind],
    [0.3, ({ desktop }) => desktop.download()],
    ...CONVERSATION_ACTS.map((run): Act => [0.5, ({ page, random }) => run(page, random)]),
  ],
  any: [
    [2, ({ commands }) => commands.send(user.connectionRequested())],
    [2, ({ commands, random }) => commands.send(user.preferencesChanged(random.pick(PREFERENCES)))],
    [1, ({ commands, random }) => commands.send(user.dialogRequested({ dialog: random.pick(DIALOGS) }))],
    [1, ({ dispatch }) => dispatch(view.dialogClosed())],
    [1, ({ dispatch }) => dispatch(view.alertDismissed())],
    [1, ({ dispatch }) => dispatch(view.noteDismissed())],
    [1, ({ dispatch }) => [view.menuOpened(), view.menuClosed()].forEach((action) => dispatch(action))],
    [1, ({ commands }) => commands.send(user.sessionSaveRequested())],
    [0.3, ({ commands }) => commands.send(user.inspectorRequested())],
    [0.5, ({ commands }) => commands.send(user.diagnosticsCopyRequested())],
    [0.3, ({ commands, random }) => commands.send(user.dataDeletionRequested(deletion(random)))],
    [0.5, ({ commands }) => commands.send(user.startRetryRequested())],
    [0.3, ({ commands }) => commands.send(user.startSaveRequested())],
    [0.6, ({ commands, random }) => commands.saveAssistant(settings(random))],
    [0.3, ({ commands, random }) => commands.testAssistant(settings(random))],
    [0.2, ({ commands }) => commands.send(user.assistantTestCancelRequested())],
    [0.2, ({ commands }) => commands.send(user.assistantModelRequested('large'))],
    [0.3, ({ commands, random }) => commands.send(user.windowZoomRequested({ zoom: random.pick(ZOOMS) }))],
    [2, ({ window }) => window.webContents.reload()],
    [1, ({ commands }) => commands.close()],
    [1, ({ commands }) => commands.minimize()],
    [1, ({ window, random }) => (random.chance(0.5) ? window.focus() : window.blur())],
    [1, ({ desktop }) => desktop.windows.size < 3 && desktop.app.emit('new-window-for-tab')],
    [2, chooseMenu],
    [0.5, ({ desktop }) => void desktop.app.emit('second-instance')],
    ...WINDOW_ACTS.map((run): Act => [0.3, ({ page, random }) => run(page, random)]),
  ],
};

/** Does something with a window: a random act that is possible in its view. */
export function act(given: Omit<Hand, 'commands' | 'dispatch'>): void {
  const { commands, store } = given.page;
  const hand = { ...given, commands, dispatch: store.dispatch };
  const shown = own(hand).view;
  const isWaiting = shown === 'login' && (waits.get(hand.window) ?? 0) > hand.now;
  const possible = [...ACTS.any, ...(isWaiting || shown === 'splash' ? [] : ACTS[shown])];
  const total = possible.reduce((sum, [weight]) => sum + weight, 0);
  let at = hand.random.next() * total;
  for (const [weight, run] of possible) {
    at -= weight;
    if (at <= 0) return void run(hand);
  }
}
