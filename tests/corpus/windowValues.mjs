/** Values of a window's own state, for generated captures. */

export const LONGEST = 'x'.repeat(10_000);
export const TOO_LONG = `${LONGEST}x`;

export const FORM = { email: '', name: '', showsCharacters: false, error: null, isBusy: false, cleared: 0 };
export const HIT = { message: 1, item: 0, start: 3 };
/** Without the slices that the state got later, as in older captures. */
export const OWN = {
  view: 'splash',
  signInForm: FORM,
  textBox: null,
  fileDrop: false,
  alerts: { waiting: [], nextId: 0 },
  notes: null,
  dialog: null,
  menu: false,
  scroll: { isAtBottom: true },
  place: { leftAt: null, divider: null },
  startFailure: null,
  soundProgress: null,
};
export const ABOUT = { parley: '0.2.0', host: 'web', chromium: null, node: '20', licence: 'MIT' };
export const SUM = { files: 1, bytes: 2 };
export const SETTINGS = { captures: '/captures', stored: { recorded: SUM, saved: { files: 0, bytes: 0 } } };
export const DELETION = { folder: '/data', isPlatformBuiltIn: true };

/** The contents of the dialog of the assistant, and results of a test or of saving. */
export const ASSISTANT = {
  url: 'http://127.0.0.1:11434/v1',
  model: '',
  prompt: 'Answer in verse.',
  hasKey: true,
  variables: [],
};
export const FAILED = { kind: 'failed', field: 'key', message: 'The server needs another key.' };
export const TESTED = { kind: 'tested', model: 'small', models: ['small', 'large'] };
