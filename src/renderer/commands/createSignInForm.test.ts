import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { EMAIL_ERROR, FORM_HINT, UNKNOWN_ERROR } from '#shared/protocol/credentials.ts';
import { virtualClock } from '#shared/clock.ts';
import { createWindowStateStore } from '../testing/createWindowStateStore.ts';
import { createSignInForm } from './createSignInForm.ts';

const VALID = { email: 'ada@example.org', password: 'secret1!', name: '' };

type Fields = Partial<typeof VALID>;

/** What is done, how long nothing happens then, what is shown, and the requests so far. */
type Step = [
  done: Fields | Error | 'enter' | 'reset' | 'wait' | { answer: string | undefined },
  ms: number,
  shown: string,
  ...requests: Fields[],
];

/** What the form shows while a request is on its way, or will be sent. */
const BUSY = `busy: ${FORM_HINT}`;

/** Does what the steps say; returns the same steps, with what was shown and requested after each, and the store. */
async function follow(steps: readonly Step[]) {
  const clock = virtualClock();
  const requests: Fields[] = [];
  const answers = new EventEmitter();
  const store = createWindowStateStore();
  const form = createSignInForm({
    clock,
    store,
    async signIn(credentials) {
      requests.push(credentials);
      const [error]: (string | undefined)[] = await once(answers, 'answer');
      return error;
    },
  });
  const seen: Step[] = [];
  for (const [done, ms] of steps) {
    if (done === 'enter') form.submit();
    else if (done === 'reset') form.reset();
    else if (done instanceof Error) answers.emit('error', done);
    else if (typeof done === 'object' && 'answer' in done) answers.emit('answer', done.answer);
    else if (done !== 'wait') form.edit(done);
    // What waits for an answer runs.
    await setImmediate();
    clock.advance(ms);
    const { error, isBusy } = store.getState().own.signInForm;
    const kind = isBusy ? 'busy: ' : error === null ? '' : 'error: ';
    seen.push([done, ms, `${kind}${error ?? FORM_HINT}`, ...requests]);
  }
  return { seen, store };
}

const NO_MAIL = { ...VALID, email: 'ada' };
const BETTER = { ...VALID, password: 'better2@' };

test.each<[string, ...Step[]]>([
  [
    'sends one request when it is valid for 2000 ms after the last input, and not before',
    ['wait', 0, FORM_HINT],
    [{ ...VALID, name: 'Grace Hopper' }, 1999, FORM_HINT],
    [VALID, 1999, FORM_HINT],
    ['wait', 1, BUSY, VALID],
    ['wait', 60_000, BUSY, VALID],
  ],
  [
    'shows the first error when it is not valid for 2000 ms, and the hint as soon as an input makes it valid',
    [{ ...VALID, email: 'ada', password: 'x' }, 1999, FORM_HINT],
    ['wait', 1, `error: ${EMAIL_ERROR}`],
    [{ ...VALID, email: 'ada@' }, 0, `error: ${EMAIL_ERROR}`],
    [VALID, 0, FORM_HINT],
  ],
  [
    'shows the error of an empty form at once on Enter, but of one that is emptied after Enter none, and of an edited form, which is not busy, 2000 ms after the last input',
    ['enter', 0, `error: ${EMAIL_ERROR}`],
    [VALID, 0, FORM_HINT],
    ['enter', 0, BUSY],
    [NO_MAIL, 0, FORM_HINT],
    ['enter', 1999, FORM_HINT],
    ['wait', 1, `error: ${EMAIL_ERROR}`],
    [VALID, 0, FORM_HINT],
    ['enter', 0, BUSY],
    [{ email: '', password: '' }, 2000, FORM_HINT],
  ],
  [
    'sends refused credentials again on Enter, 2000 ms after the last request, and shows no error of a form that is emptied meanwhile',
    [VALID, 2000, BUSY, VALID],
    [{ answer: 'No.' }, 0, 'error: No.', VALID],
    ['enter', 1999, BUSY, VALID],
    ['enter', 0, BUSY, VALID],
    ['wait', 1, BUSY, VALID, VALID],
    [{ email: '', password: '' }, 0, BUSY, VALID, VALID],
    [{ answer: 'No.' }, 2000, FORM_HINT, VALID, VALID],
  ],
  [
    'sends an input during a request 2000 ms after the answer, unless it succeeds, and never two requests at once',
    [VALID, 2000, BUSY, VALID],
    [BETTER, 0, BUSY, VALID],
    ['enter', 10_000, BUSY, VALID],
    [{ answer: 'No.' }, 1999, 'error: No.', VALID],
    ['wait', 1, BUSY, VALID, BETTER],
    [{ ...VALID, password: 'best3#' }, 0, BUSY, VALID, BETTER],
    [{ answer: undefined }, 10_000, FORM_HINT, VALID, BETTER],
  ],
  [
    'drops its fields on a reset: it does not check them, ignores a late answer, and is empty for the next Enter',
    [VALID, 2000, BUSY, VALID],
    ['reset', 0, BUSY, VALID],
    [{ answer: 'No.' }, 10_000, BUSY, VALID],
    [VALID, 0, FORM_HINT, VALID],
    ['enter', 0, BUSY, VALID],
    ['reset', 10_000, BUSY, VALID],
    ['enter', 0, `error: ${EMAIL_ERROR}`, VALID],
  ],
])(
  'spec §4.1, §8 form debounce, spec §7 row 8, contract §3 errors, contract §3 one request: the form %s',
  async (_, ...steps) => {
    expect((await follow(steps)).seen).toEqual(steps);
  },
);

test('contract §3 one request: Enter sends one request 2000 ms after the last input, and shows at once that it is on its way; the password is in no action', async () => {
  const steps: Step[] = [
    [{ email: VALID.email }, 0, FORM_HINT],
    [{ password: VALID.password }, 0, FORM_HINT],
    [{ name: VALID.name }, 34, FORM_HINT],
    ['enter', 0, BUSY],
    ['enter', 1965, BUSY],
    ['wait', 1, BUSY, VALID],
  ];
  const { seen, store } = await follow(steps);
  expect(seen).toEqual(steps);
  const types = ['edited', 'edited', 'edited', 'submitted'].map((type) => `signInForm/${type}`);
  expect(store.dispatched.map(({ type }) => type)).toEqual(types);
  expect(store.getState().own.signInForm).toMatchObject({ email: VALID.email, name: '' });
  expect(JSON.stringify(store.dispatched)).not.toContain(VALID.password);
});

test.each([
  ['exactly the error text of the answer', { answer: 'Wrong password, sorry.' }, 'Wrong password, sorry.'],
  ['the beginning of a text of a megabyte', { answer: 'no '.repeat(350_000) }, `${'no '.repeat(166)}no…`],
  ['the unknown error for an empty text', { answer: '' }, UNKNOWN_ERROR],
  ['the unknown error when the request fails', new Error('gone'), UNKNOWN_ERROR],
])('shows %s, and sends nothing more', async (_, answer, error) => {
  const steps: Step[] = [
    [VALID, 2000, BUSY, VALID],
    [answer, 0, `error: ${error}`, VALID],
    ['wait', 60_000, `error: ${error}`, VALID],
  ];
  expect((await follow(steps)).seen).toEqual(steps);
});
