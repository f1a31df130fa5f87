import type { Action } from '@reduxjs/toolkit';
import { timeOfDayRead } from '#shared/store/timesOfDay.ts';
import { signedIn, signedOut } from '#main/account/account.ts';
import { attentionGained, attentionLost } from '#shared/window/attention.ts';
import { partArrived, snapshotArrived, stateFetched } from '#renderer/store/windowReducer.ts';
import * as acts from '#shared/acts/acts.ts';
import * as facts from '#shared/acts/facts.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import * as audio from '#shared/store/audio.ts';
import { backlogReported } from '#shared/store/backlog.ts';
import * as connection from '#shared/store/connection.ts';
import { snapshotApplied } from '#shared/store/conversation.ts';
import { isLocal } from '#shared/store/local.ts';
import { messageDropped, messageSent } from '#shared/store/outgoing.ts';
import { preferencesChanged, preferencesLoaded } from '#shared/store/preferences.ts';
import { sharedReducer } from '#shared/store/rootReducer.ts';
import { heartbeat } from '#shared/store/sequence.ts';
import { sessionEnded, sessionLaunched } from '#shared/store/session.ts';
import { frameRejected, updateApplied, updateIgnored, updateReceived } from '#shared/store/updates.ts';
import * as windowAlerts from '#shared/window/alerts.ts';
import * as dialog from '#shared/window/dialog.ts';
import * as file from '#shared/window/file.ts';
import { fileDropEntered, fileDropLeft } from '#shared/window/fileDrop.ts';
import { findClosed, findEdited, findOpened, hitReached } from '#shared/window/find.ts';
import { menuClosed, menuOpened } from '#shared/window/menu.ts';
import { noteDismissed, noteShown } from '#shared/window/notes.ts';
import { initialOwnState, stateReported } from '#shared/window/ownReducer.ts';
import { leftBottom, placeLeft, placeReturned, reachedBottom } from '#shared/window/scroll.ts';
import * as form from '#shared/window/signInForm.ts';
import { soundProgressChanged } from '#shared/window/soundProgress.ts';
import { startFailureChanged } from '#shared/window/startFailure.ts';
import * as textBox from '#shared/window/textBox.ts';
import { viewChanged } from '#shared/window/view.ts';
import { imageOpened, viewerClosed } from '#shared/window/viewer.ts';
import * as windows from '#shared/window/windows.ts';

const update = (frame: object) => {
  const decoded = decodeUpdate(JSON.stringify(frame));
  if (decoded.kind === 'rejected') throw new Error('not an update');
  return decoded;
};
const snapshot = update({ person: 'Ada Lovelace', messages: [], other: 1, words: ['stop'] });
const message = update({ id: 'a', modifier: 'ai', content: [{ category: 'text', text: 'Hello' }] });
const released = { update: message, bytes: 1, tick: 100 };
const received = { update: message, bytes: 1, at: 1 };
const newest = { length: 1, from: 0, messages: [{ id: 'a' }] };
const playing = { id: 'a', message: 0, item: 0 };
const text = { text: 'Good morning, Ada' };
const picture = { name: 'ada.png', size: 5 };
const { conversation: _, ...shared } = sharedReducer(undefined, { type: '' });
const fetched = {
  ...shared,
  appliedUpdates: 5,
  wasConnected: true,
  connection: { status: 'connected', closedBecause: null },
  preferences: { ...shared.preferences, theme: 'dark' },
  audio: { ...shared.audio, isOn: true },
  backlog: { updates: 30 },
  timesOfDay: [{ sinceLaunch: 0, timeOfDay: 3 }],
  words: ['again'],
  conversation: { person: 'Ada Lovelace' },
} as const;
const assistant = { url: 'http://ada.example.org/v1', model: '', prompt: '', hasKey: true, variables: [] };
const settings = { recorded: { files: 1, bytes: 2 }, saved: { files: 0, bytes: 0 } };

const ACTS: readonly Action[] = [
  acts.signInRequested(),
  acts.logOutRequested(),
  acts.messageRequested({ category: 'text', text: 'Good morning', blob: null }),
  acts.snapshotRequested(),
  acts.encodingRequested({ bytes: 3 }),
  connection.connectionRequested(),
  acts.recordingToggleRequested(),
  acts.playbackRequested({ message: 0, item: 0 }),
  acts.playbackStopRequested(),
  preferencesChanged({ theme: 'light' }),
  acts.windowOpenRequested(),
  acts.windowShowRequested(),
  acts.windowMinimizeRequested(),
  acts.windowCloseRequested(),
  acts.windowZoomRequested({ zoom: 'in' }),
  acts.quitRequested(),
  acts.sessionSaveRequested(),
  acts.inspectorRequested(),
  acts.dialogRequested({ dialog: 'about' }),
  acts.diagnosticsCopyRequested(),
  acts.dataDeletionRequested({ platformFile: true }),
  acts.assistantTestRequested(),
  acts.assistantTestCancelRequested(),
  acts.assistantSaveRequested({ isDemonstration: true }),
  acts.startRetryRequested(),
  acts.startSaveRequested(),
];

const RESULTS: readonly Action[] = [
  facts.signInAccepted(),
  facts.signInRefused({ code: 'busy' }),
  messageSent({ category: 'text' }),
  messageDropped({ category: 'text' }),
  facts.messageRefused({ category: 'text', reason: 'overLimits' }),
  facts.sessionSaved(),
  facts.sessionSaveFailed(),
  facts.startSaved(),
  facts.startSaveFailed(),
  facts.diagnosticsCopied(),
  facts.diagnosticsCopyFailed(),
  facts.assistantTested(),
  facts.assistantTestFailed(),
  facts.assistantSaved(),
  facts.assistantSaveFailed(),
  windows.dataDeleted(),
  facts.inspectorShown(),
];

const OWN: readonly Action[] = [
  stateReported({
    state: {
      ...initialOwnState,
      view: 'login',
      textBox: 'a draft',
      fileDrop: true,
      menu: true,
      notes: text,
      scroll: { isAtBottom: false },
      startFailure: { canSave: false },
      soundProgress: { at: 1, of: 2 },
      find: { text: 'Ada', hit: null },
      signInForm: { ...initialOwnState.signInForm, email: 'ada@example.org' },
      alerts: { waiting: [{ id: 0, ...text }], nextId: 1 },
      dialog: { dialog: 'settings', contents: { captures: '/home/ada', stored: settings } },
    },
  }),
  form.signInFormEdited({ email: 'ada@example.com', name: 'Ada Lovelace' }),
  form.charactersShown({ isShown: true }),
  form.signInFormChecked({ error: 'Not a valid email.' }),
  form.signInFormSubmitted(),
  form.signInFormAnswered({ error: 'Wrong password.' }),
  form.signInFormCleared(),
  viewChanged({ view: 'conversation' }),
  textBox.textBoxOpened({ text: 'G' }),
  textBox.textBoxEdited(text),
  textBox.textBoxRefused({ length: 300 }),
  textBox.textBoxClosed(),
  textBox.textBoxSent(),
  fileDropEntered(),
  fileDropLeft(),
  file.fileOffered({ ...picture, type: 'image/png' }),
  file.fileRefused({ ...picture, reason: 'tooLarge' }),
  file.fileSent(picture),
  windowAlerts.alertShown(text),
  windowAlerts.alertDismissed(),
  noteShown({ ...text, path: '/home/ada/session' }),
  noteDismissed(),
  dialog.dialogOpened({ dialog: 'deleteData', contents: { folder: '/home/ada', isPlatformBuiltIn: true } }),
  dialog.platformFileChosen({ platformFile: true }),
  dialog.deletionConfirmed({ platformFile: true }),
  dialog.dialogOpened({ dialog: 'assistant', contents: assistant }),
  dialog.assistantSubmitted({ work: 'test' }),
  dialog.assistantAnswered({ result: { kind: 'failed', field: 'url', message: 'No server answers.' } }),
  dialog.dialogClosed(),
  menuOpened(),
  menuClosed(),
  imageOpened({ message: 1, item: 0 }),
  viewerClosed(),
  findOpened(),
  findEdited(text),
  hitReached({ hit: { message: 0, item: 1, start: 2 } }),
  findClosed(),
  leftBottom(),
  placeLeft({ messages: 1, isAway: true }),
  placeReturned({ messages: 2 }),
  reachedBottom(),
  startFailureChanged({ failure: { canSave: true } }),
  soundProgressChanged({ at: 0, of: 1 }),
];

const FACTS: readonly Action[] = [
  signedIn({ id: 'account-1', platform: 'the platform' }),
  sessionLaunched({ launchedAt: 1, timeOfDay: 2 }),
  timeOfDayRead({ sinceLaunch: 1, timeOfDay: 2 }),
  connection.connectionOpened(),
  connection.connectionConfirmed(),
  connection.connectionClosed({ code: 1000, reason: 'maintenance', retryAt: 500 }),
  updateReceived(received),
  updateApplied({ ...released, update: snapshot }),
  updateReceived(received),
  updateReceived(received),
  updateApplied(released),
  snapshotApplied({ person: 'Ada Lovelace', newest: '{}', tick: 100, known: 0, words: ['stop'] }),
  updateIgnored(released),
  frameRejected({ reason: 'notJson', bytes: 1 }),
  backlogReported({ updates: 30 }),
  heartbeat(5),
  audio.audioStarted(),
  audio.recordingStarted(),
  audio.recordingStopped(),
  audio.recordingStarted(),
  audio.recordingCancelled(),
  audio.playbackStarted(playing),
  audio.playbackEnded(),
  audio.playbackStarted(playing),
  audio.playbackCancelled(),
  preferencesLoaded({ stored: { audio: true, theme: 'dark' }, environment: {} }),
  attentionGained(),
  attentionLost(),
  windows.windowOpened(1),
  windows.windowShown(1),
  windows.windowFocused(1),
  windows.windowMinimized(1),
  windows.windowRestored(1),
  windows.windowBlurred(1),
  windows.windowHidden(1),
  stateFetched({ state: fetched, newest }),
  snapshotArrived({ person: 'Ada', newest, tick: 100, known: 0, words: ['stop'] }, 1),
  partArrived({ length: 1, from: 0, messages: [{ id: 'b' }] }),
];

const ENDS: readonly Action[] = [audio.audioStopped(), windows.windowClosed(1), sessionEnded(), signedOut()];

/** Numbers the forwarded actions, as main does. */
const numbered = (actions: readonly Action[]) =>
  actions.map((action, index) => (isLocal(action) ? action : { ...action, meta: { seq: index + 1 } }));

/** Returns at least one action of each type, in an order in which each one can change every slice that it ever changes. */
export const sampleActions = (): readonly Action[] =>
  numbered([...FACTS, ...OWN, ...ACTS, ...RESULTS, ...ENDS]);
