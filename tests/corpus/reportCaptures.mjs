import { action, ownActions } from './records.mjs';
import {
  ABOUT,
  ASSISTANT,
  DELETION,
  FAILED,
  FORM,
  HIT,
  LONGEST,
  OWN,
  SETTINGS,
  SUM,
  TESTED,
  TOO_LONG,
} from './windowValues.mjs';

const ALERTS = 100;

const report = (change) => ['window/stateReported', { state: { ...OWN, ...change } }];
const waiting = (alerts) => ({ alerts: { waiting: alerts, nextId: 200 } });
const numbered = (length) => Array.from({ length }, (_, id) => ({ id, text: '' }));

/** States that a window reports: each value that a field accepts. */
const ACCEPTED = [
  ...['login', 'conversation', 'splash'].map((view) => ({ view })),
  {
    signInForm: {
      ...FORM,
      email: LONGEST,
      name: 'n',
      showsCharacters: true,
      error: 'e',
      isBusy: true,
      cleared: 3,
    },
  },
  { textBox: '' },
  { textBox: LONGEST },
  { fileDrop: true },
  waiting(numbered(2)),
  waiting(numbered(ALERTS)),
  { notes: { text: 't', path: 'p' } },
  { notes: { text: '' } },
  { dialog: { dialog: 'settings', contents: SETTINGS } },
  { dialog: { dialog: 'about', contents: ABOUT } },
  { dialog: { dialog: 'about', contents: { ...ABOUT, chromium: '156' } } },
  { dialog: { dialog: 'deleteData', contents: DELETION, platformFile: true, isDeleting: false } },
  { menu: true },
  { scroll: { isAtBottom: false } },
  { startFailure: { canSave: false } },
  { soundProgress: { at: 0, of: 0 } },
  { viewer: null },
  { viewer: { message: 3, item: 0 } },
  { find: null },
  { find: { text: LONGEST, hit: null } },
  { find: { text: '', hit: HIT } },
];

/** States that a window must not report: a field of the wrong type, too long, too many or missing. */
const REFUSED = [
  { view: 'other' },
  { view: 1 },
  ...['email', 'name', 'error'].flatMap((field) => [5, TOO_LONG].map((value) => form({ [field]: value }))),
  ...['showsCharacters', 'isBusy'].map((field) => form({ [field]: 1 })),
  ...[-1, 0.5, '1'].map((cleared) => form({ cleared })),
  form({ more: 1 }),
  { signInForm: {} },
  { textBox: 5 },
  { textBox: TOO_LONG },
  { fileDrop: 1 },
  waiting([{ id: -1, text: '' }]),
  waiting([{ id: 0, text: TOO_LONG }]),
  waiting([{ id: 0, text: '', more: 1 }]),
  waiting([{}]),
  waiting({}),
  waiting(numbered(ALERTS + 1)),
  { alerts: { waiting: [], nextId: 1.5 } },
  { alerts: { waiting: [], nextId: 1, more: 1 } },
  { alerts: {} },
  { notes: { text: 5 } },
  { notes: { text: 't', path: 5 } },
  { notes: { text: 't', more: 1 } },
  { notes: {} },
  ...[5, {}, { dialog: 'other', contents: ABOUT }].map((dialog) => ({ dialog })),
  ...[
    { ...SETTINGS, captures: 1 },
    { ...SETTINGS, more: 1 },
    { ...SETTINGS, stored: {} },
    { ...SETTINGS, stored: { ...SETTINGS.stored, more: 1 } },
    { ...SETTINGS, stored: { recorded: { ...SUM, files: -1 }, saved: SUM } },
    { ...SETTINGS, stored: { recorded: SUM, saved: { ...SUM, bytes: 'x' } } },
    { ...SETTINGS, stored: { recorded: SUM, saved: { ...SUM, more: 1 } } },
    {},
  ].map((contents) => ({ dialog: { dialog: 'settings', contents } })),
  ...['parley', 'host', 'chromium', 'node', 'licence', 'more'].map((field) => ({
    dialog: { dialog: 'about', contents: { ...ABOUT, [field]: 5 } },
  })),
  { dialog: { dialog: 'about', contents: {} } },
  { dialog: { dialog: 'about', contents: ABOUT, more: 1 } },
  { dialog: { dialog: 'settings', contents: SETTINGS, more: 1 } },
  { dialog: { dialog: 'deleteData', contents: DELETION } },
  { dialog: { dialog: 'deleteData', contents: DELETION, platformFile: 1, isDeleting: false } },
  { dialog: { dialog: 'deleteData', contents: DELETION, platformFile: true, isDeleting: 1 } },
  { dialog: { dialog: 'deleteData', contents: { folder: 5 }, platformFile: true, isDeleting: false } },
  {
    dialog: {
      dialog: 'deleteData',
      contents: { ...DELETION, more: 1 },
      platformFile: true,
      isDeleting: false,
    },
  },
  { menu: 1 },
  { scroll: { isAtBottom: 1 } },
  { scroll: { isAtBottom: true, more: 1 } },
  { startFailure: { canSave: 1 } },
  { startFailure: {} },
  { startFailure: { canSave: true, more: 1 } },
  { soundProgress: { at: -1, of: 1 } },
  { soundProgress: { at: 1, of: '1' } },
  { soundProgress: { at: 1, of: 1, more: 1 } },
  { soundProgress: {} },
  { viewer: 1 },
  { viewer: {} },
  { viewer: { message: 0, item: 0, more: 1 } },
  ...['message', 'item'].flatMap((field) =>
    [-1, 0.5, '1'].map((value) => ({ viewer: { message: 0, item: 0, [field]: value } })),
  ),
  { find: 1 },
  { find: {} },
  { find: { text: TOO_LONG, hit: null } },
  { find: { text: 5, hit: null } },
  { find: { text: '', hit: null, more: 1 } },
  { find: { text: '', hit: { ...HIT, more: 1 } } },
  ...['message', 'item', 'start'].flatMap((field) =>
    [-1, 0.5, '1'].map((value) => ({ find: { text: '', hit: { ...HIT, [field]: value } } })),
  ),
  { more: 1 },
];

function form(change) {
  return { signInForm: { ...FORM, ...change } };
}

/** Reports of a window's state; those that must not be accepted leave it. */
const windowReports = () => {
  const marked = { ...OWN, textBox: 'stays' };
  const refused = REFUSED.map(report);
  return [
    action(0, 'window/opened', { number: 1 }),
    ...ownActions(10, 1, ACCEPTED.map(report)),
    ...ownActions(1000, 1, [['window/stateReported', { state: marked }], ...refused]),
    ...ownActions(3000, 1, [
      ['window/stateReported', { state: {} }],
      ['window/stateReported', {}],
      ['window/stateReported'],
      ['window/stateReported', { state: OWN, more: 1 }],
    ]),
  ];
};

const MODELS = 200;
const VARIABLES = 10;

const dialogReport = (dialog) => report({ dialog });
const dialogOpened = (dialog) => ['dialog/opened', dialog];
const named = (length) => Array.from({ length }, () => '');
const settingsOf = (assistant) => ({ dialog: 'settings', contents: { ...SETTINGS, assistant } });
const assistantOf = (contents) => ({ dialog: 'assistant', contents: { ...ASSISTANT, ...contents } });
const answering = (change) => ({ ...assistantOf({}), work: null, result: null, models: [], ...change });

/** What a dialog shows when it opens, and then what the dialog of the assistant has as well. */
const OPENED = [
  settingsOf({ url: null, model: null }),
  settingsOf({ url: 'u', model: 'm' }),
  { dialog: 'export' },
  assistantOf({ variables: named(VARIABLES) }),
  assistantOf({ url: '', hasKey: false }),
];
const ANSWERING = [
  ...['test', 'save'].map((work) => ({ work })),
  { result: { kind: 'saved' } },
  { result: TESTED, models: ['small'] },
  ...['url', 'model', 'key', 'prompt', null].map((field) => ({ result: { ...FAILED, field } })),
  { models: named(MODELS) },
].map(answering);

const NOT_OPENED = [
  ...[{ url: 5, model: null }, { url: null, model: 5 }, { url: null }, 5].map(settingsOf),
  settingsOf({ url: null, model: null, more: 1 }),
  { dialog: 'export', more: 1 },
  ...[{ url: 5 }, { model: null }, { prompt: TOO_LONG }, { hasKey: 1 }, { more: 1 }].map(assistantOf),
  ...[[5], named(VARIABLES + 1), undefined].map((variables) => assistantOf({ variables })),
];
const NOT_ANSWERING = [
  ...['other', undefined].map((work) => ({ work })),
  ...[{}, { kind: 'other' }, { kind: 'saved', more: 1 }, { kind: 'tested' }, undefined].map((result) => ({
    result,
  })),
  ...[{ model: 5 }, { models: [5] }, { more: 1 }].map((wrong) => ({ result: { ...TESTED, ...wrong } })),
  ...[{ field: 'other' }, { message: 5 }, { more: 1 }].map((wrong) => ({ result: { ...FAILED, ...wrong } })),
  ...[[5], named(MODELS + 1), undefined].map((models) => ({ models })),
  { more: 1 },
].map(answering);

/** Dialogs that open, and that a window reports: with each value that a field accepts, and with others. */
const dialogReports = () => [
  action(0, 'window/opened', { number: 1 }),
  ...ownActions(10, 1, [
    ...OPENED.map(dialogOpened),
    ...ANSWERING.map(dialogReport),
    dialogReport({ dialog: 'export' }),
    ...NOT_OPENED.flatMap((dialog) => [dialogOpened(dialog), dialogReport(dialog)]),
    ...NOT_ANSWERING.map(dialogReport),
  ]),
];

/** The captures about the reports of a window's state. */
export const reportCaptures = {
  'dialog-reports.gz': dialogReports,
  'window-reports.gz': windowReports,
};
