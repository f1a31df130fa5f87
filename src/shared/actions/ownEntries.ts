import { type ActionEntries, recordedLater } from './actionEntry.ts';

/** A window's own actions: `src/shared/window`. The window applies them and reports them to main, which folds them into `windows`. */
export const OWN_ENTRIES: ActionEntries = {
  'window/stateReported': recordedLater('a page that has loaded, or that main requests its state from', {
    payload: 'state',
    changes: ['own.*'],
    codes: ['view', 'dialog'],
  }),
  'view/changed': recordedLater('followAccount', {
    payload: 'view',
    changes: ['own.*'],
    codes: ['view'],
  }),
  'signInForm/edited': recordedLater('input of any field, also of the password, which it does not contain', {
    payload: 'email, name',
    changes: ['own.signInForm'],
  }),
  'signInForm/charactersShown': recordedLater('button of the password', {
    payload: 'isShown',
    changes: ['own.signInForm'],
  }),
  'signInForm/checked': recordedLater('the check of the form', {
    payload: 'error',
    changes: ['own.signInForm'],
  }),
  'signInForm/submitted': recordedLater('the form, with the request', { changes: ['own.signInForm'] }),
  'signInForm/answered': recordedLater('the answer of `auth`', {
    payload: 'error',
    changes: ['own.signInForm'],
  }),
  'signInForm/cleared': recordedLater('the answer of `deleteData`', { changes: ['own.signInForm'] }),
  'textBox/opened': recordedLater('a key; the floating button; a paste; Ctrl+Z; a draft after a reload', {
    payload: 'text',
    changes: ['own.textBox'],
  }),
  'textBox/edited': recordedLater('input; a recalled text', {
    payload: 'text',
    changes: ['own.textBox'],
  }),
  'textBox/closed': recordedLater('Escape; Backspace', { changes: ['own.textBox'] }),
  'textBox/sent': recordedLater('Enter', { changes: ['own.textBox'] }),
  'textBox/refused': recordedLater('Enter: the text is too long', { payload: 'length' }),
  'fileDrop/entered': recordedLater('a drag', { changes: ['own.fileDrop'] }),
  'fileDrop/left': recordedLater('a drag', { changes: ['own.fileDrop'] }),
  'file/offered': recordedLater('a drop; a paste; the attach button', { payload: 'name, size, type' }),
  'file/refused': recordedLater('the check of the file', {
    payload: 'name, size, reason',
    codes: ['reason'],
  }),
  'file/sent': recordedLater('the file was given to main', { payload: 'name, size' }),
  'alerts/shown': recordedLater('the window', { payload: 'text', changes: ['own.alerts'] }),
  'alerts/dismissed': recordedLater('the alert’s button', { changes: ['own.alerts'] }),
  'notes/shown': recordedLater(
    'channels `notice`, `voiceNote`, `saved`, `dataDeleted`, `diagnosticsCopied`; a drop or a paste of several files; a paste that was cut; the end of a copy, an export or a print',
    {
      payload: 'text, path',
      changes: ['own.notes'],
    },
  ),
  'notes/dismissed': recordedLater(
    'the note’s button; a sent file, if the note is about files of an earlier drop',
    {
      changes: ['own.notes'],
    },
  ),
  'dialog/opened': recordedLater('channels `settings`, `assistant`, `about`, `deleteData`, `export`', {
    payload: 'dialog, contents',
    changes: ['own.dialog'],
    codes: ['dialog'],
  }),
  'dialog/platformFileChosen': recordedLater('dialog *Delete my data*', {
    payload: 'platformFile',
    changes: ['own.dialog'],
  }),
  'dialog/deletionConfirmed': recordedLater('dialog *Delete my data*', {
    payload: 'platformFile',
    changes: ['own.dialog'],
  }),
  'dialog/assistantSubmitted': recordedLater('dialog *Assistant*. Contains none of the settings', {
    payload: 'work',
    changes: ['own.dialog'],
    codes: ['work'],
  }),
  'dialog/assistantAnswered': recordedLater('channel `assistantResult`', {
    payload: 'result',
    changes: ['own.dialog'],
    codes: ['kind', 'field'],
  }),
  'dialog/closed': recordedLater('the dialog’s button; Escape', { changes: ['own.dialog'] }),
  'menu/opened': recordedLater('the menu’s button', { changes: ['own.menu'] }),
  'menu/closed': recordedLater('a choice; Escape; a click elsewhere', { changes: ['own.menu'] }),
  'scroll/leftBottom': recordedLater('scrolling', { changes: ['own.scroll'] }),
  'scroll/reachedBottom': recordedLater('scrolling', { changes: ['own.scroll'] }),
  'place/left': recordedLater('followPlace: the person scrolls up, or the window loses the focus', {
    payload: 'messages, isAway',
    changes: ['own.place'],
  }),
  'place/returned': recordedLater('followPlace: the person is at the newest message again', {
    payload: 'messages',
    changes: ['own.place'],
  }),
  'startFailure/changed': recordedLater('channel `startFailed`', {
    payload: 'failure',
    changes: [
      'own.startFailure',
      'own.textBox',
      'own.fileDrop',
      'own.scroll',
      'own.find',
      'own.place',
      'own.viewer',
    ],
  }),
  'viewer/opened': recordedLater(
    'a press on an image; the keys and buttons for the next and the previous one',
    {
      payload: 'message, item',
      changes: ['own.viewer'],
    },
  ),
  'viewer/closed': recordedLater('Escape; the viewer’s button', { changes: ['own.viewer'] }),
  'find/opened': recordedLater('Ctrl+F; the menu', { changes: ['own.find'] }),
  'find/edited': recordedLater('input', { payload: 'text', changes: ['own.find'] }),
  'find/reached': recordedLater('the search, which found the first hit; *Next*, *Previous*', {
    payload: 'hit',
    changes: ['own.find'],
  }),
  'find/closed': recordedLater('Escape; the bar’s button', { changes: ['own.find'] }),
  'soundProgress/changed': recordedLater('the playing sound', {
    payload: 'at, of',
    changes: ['own.soundProgress'],
  }),
};
