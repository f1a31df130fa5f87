import type { Action } from '@reduxjs/toolkit';
import type { ActionEntry } from '#shared/actions/defineAction.ts';
import * as main from '#shared/actions/mainActions.ts';
import * as output from '#shared/actions/outputActions.ts';
import * as session from '#shared/actions/sessionActions.ts';
import * as sync from '#renderer/store/syncActions.ts';
import * as user from '#shared/actions/userActions.ts';
import * as own from '#shared/actions/windowActions.ts';
import { updateOf } from './updateOf.ts';
import { sharedReducer } from '#shared/store/rootReducer.ts';
import { initialWindowState } from '#shared/store/windowState.ts';

const snapshot = updateOf({ person: 'Ada Lovelace', messages: [], other: 1, words: ['stop'] });
const message = updateOf({ id: 'a', modifier: 'ai', content: [{ category: 'text', text: 'Hello' }] });
const released = { update: message, bytes: 1, tick: 100 };
const newest = { length: 1, from: 0, messages: [{ id: 'a' }] };
const playing = { id: 'a', message: 0, item: 0 };
const text = { text: 'Good morning, Ada' };
const picture = { name: 'ada.png', size: 5 };
const { conversation: _, ...shared } = sharedReducer(undefined, { type: '' });
const fetched = { ...shared, conversation: { person: 'Ada Lovelace' } };
const assistant = { url: 'http://ada.example.org/v1', model: '', prompt: '', hasKey: true, variables: [] };
const settings = { recorded: { files: 1, bytes: 2 }, saved: { files: 0, bytes: 0 } };

const FACTS: readonly Action[] = [
  main.signedIn({ id: 'account-1', platform: 'the platform' }),
  session.sessionLaunched({ launchedAt: 1, timeOfDay: 2 }),
  session.timeOfDayRead({ sinceLaunch: 1, timeOfDay: 2 }),
  session.connectionClosed({ code: 1000, reason: 'maintenance', retryAt: 500 }),
  session.updateReceived({ update: message, bytes: 1, at: 1 }),
  session.updateApplied({ ...released, update: snapshot }),
  session.updateApplied(released),
  session.snapshotApplied({ person: 'Ada Lovelace', newest: '{}', tick: 100, known: 0, words: ['stop'] }),
  session.updateIgnored(released),
  session.frameRejected({ reason: 'notJson', bytes: 1 }),
  session.arrivalsRecalled({ from: 0, arrivals: [-5] }),
  session.backlogReported({ updates: 30 }),
  session.heartbeat(5),
  main.playbackStarted(playing),
  main.preferencesLoaded({ stored: { audio: true, theme: 'dark' }, environment: {} }),
  main.accountChanged({ account: 'a-mark', reason: 'unauthorized' }),
  main.startFailed({ canSave: true }),
  main.noticeRaised({ text: 'The disk is full.', until: 'dismissed' }),
  main.noticeSeen({ id: 1 }),
  main.writingPaused({ part: 'log', text: 'The disk is full.' }),
  ...[main.writingEnded, main.writingResumed].map((act) => act({ part: 'log' })),
  ...[main.windowOpened, main.windowShown, main.windowFocused, main.windowMinimized].map((act) => act(1)),
  ...[main.windowRestored, main.windowBlurred, main.windowHidden, main.windowClosed].map((act) => act(1)),
  sync.stateFetched({ state: fetched, newest }),
  sync.snapshotArrived({ person: 'Ada', newest, tick: 100, known: 0, words: ['stop'] }, 1),
  sync.partArrived({ length: 1, from: 0, messages: [{ id: 'b' }] }),
  user.signInRequested({ credentials: { email: '', password: '', name: '' }, answer() {} }),
  user.messageRequested({ category: 'text', text: 'Good morning', blob: null }),
  user.encodingRequested({ bytes: new ArrayBuffer(3), answer() {} }),
  user.playbackRequested({ message: 0, item: 0 }),
  ...[user.recordingFailed, user.audioWritten, user.playbackFailed].map((act) => act({ number: 1 })),
  user.preferencesChanged({ theme: 'light' }),
  user.windowZoomRequested({ zoom: 'in' }),
  user.dialogRequested({ dialog: 'about' }),
  user.dataDeletionRequested({ platformFile: true }),
  user.assistantTestRequested(null),
  user.assistantSaveRequested(null),
  user.assistantModelRequested('llama3'),
  main.signInRefused({ code: 'busy' }),
  ...[main.messageSent, main.messageDropped].map((act) => act({ category: 'text' })),
  main.messageRefused({ category: 'text', reason: 'overLimits' }),
  main.deletionAnnounced({ text: 'Your data was deleted.' }),
  main.downloadEnded({ outcome: 'completed' }),
];

const OWN: readonly Action[] = [
  own.stateReported({
    state: {
      ...initialWindowState,
      view: 'login',
      textBox: 'a draft',
      fileDrop: true,
      menu: true,
      notes: text,
      scroll: { isAtBottom: false },
      startFailure: { canSave: false },
      soundProgress: { at: 1, of: 2 },
      find: { text: 'Ada', hit: null },
      page: { width: 400, height: 600, pixelRatio: 2 },
      scrolledTo: { message: 3, id: 'a-2', offset: -5 },
      expanded: [{ message: 3, id: 'a-3', item: null, part: 'items', steps: 1 }],
      viewerZoom: { factor: 2, x: 1, y: 1 },
      messageMenu: 2,
      assistant: { isDemonstration: true, model: null },
      signInForm: { ...initialWindowState.signInForm, email: 'ada@example.org' },
      alerts: { waiting: [{ id: 0, ...text }], nextId: 1 },
      dialog: { dialog: 'settings', contents: { captures: '/home/ada', stored: settings } },
    },
  }),
  own.signInFormEdited({ email: 'ada@example.com', name: 'Ada Lovelace' }),
  own.charactersShown({ isShown: true }),
  own.signInFormChecked({ error: 'Not a valid email.' }),
  own.signInFormSubmitted(),
  own.signInFormAnswered({ error: 'Wrong password.' }),
  own.signInFormCleared(),
  own.viewChanged({ view: 'conversation' }),
  own.textBoxOpened({ text: 'G', edits: 'ada-1' }),
  own.textBoxEdited(text),
  own.textBoxRefused({ length: 300 }),
  ...[own.textBoxClosed, own.textBoxSent, own.fileDropEntered, own.fileDropLeft].map((act) => act()),
  own.fileOffered({ ...picture, type: 'image/png' }),
  own.fileRefused({ ...picture, reason: 'tooLarge' }),
  own.fileSent(picture),
  own.alertShown(text),
  own.alertDismissed(),
  own.noteShown({ ...text, path: '/home/ada/session' }),
  own.noteDismissed(),
  own.dialogOpened({ dialog: 'deleteData', contents: { folder: '/home/ada', isPlatformBuiltIn: true } }),
  own.platformFileChosen({ platformFile: true }),
  own.deletionConfirmed({ platformFile: true }),
  own.dialogOpened({ dialog: 'assistant', contents: assistant }),
  own.assistantSubmitted({ work: 'test' }),
  own.assistantAnswered({ result: { kind: 'failed', field: 'url', message: 'No server answers.' } }),
  ...[own.dialogClosed, own.menuOpened, own.menuClosed].map((act) => act()),
  own.pageResized({ width: 480, height: 760, pixelRatio: 1.5 }),
  own.imageOpened({ message: 1, item: 0 }),
  own.imageZoomed({ factor: 1.5, x: 0, y: 12 }),
  output.itemSaved({ message: 1, item: 0, by: 'viewer', outcome: 'started' }),
  own.viewerClosed(),
  own.expansionChanged({ message: 1, id: 'a-1', item: 0, part: 'text', steps: 1 }),
  own.assistantShown({ isDemonstration: false, model: 'llama3' }),
  own.messageMenuOpened({ message: 1 }),
  own.messageMenuClosed({ choice: 'copyText' }),
  output.copied({ kind: 'text', length: 5, outcome: 'copied' }),
  output.workStarted({ work: 'export', format: 'html' }),
  output.workEnded({ work: 'export', outcome: 'done' }),
  own.findOpened(),
  own.findEdited(text),
  own.hitReached({ hit: { message: 0, item: 1, start: 2 } }),
  own.findClosed(),
  own.leftBottom(),
  own.scrollRested({ message: 1, id: 'a-1', offset: -12 }),
  own.placeLeft({ messages: 1, isAway: true }),
  own.placeReturned({ messages: 2 }),
  own.reachedBottom(),
  own.startFailureChanged({ failure: { canSave: true } }),
  own.soundProgressChanged({ at: 0, of: 1 }),
];

type Creator = ((...args: never[]) => Action) & { readonly entry: ActionEntry };
const creators: readonly Creator[] = Object.values({ ...main, ...session, ...user });

/** The actions of main and of a person that have neither a payload nor private contents. */
const EMPTY = creators
  .filter(({ entry }) => entry.payload.type === 'undefined' && entry.private === undefined)
  .map((creator): Action => Reflect.apply(creator, undefined, []));

/** Returns at least one action of each type; those of a window's state in an order in which each one can change it. */
export const sampleActions = (): readonly Action[] => [...EMPTY, ...FACTS, ...OWN];
