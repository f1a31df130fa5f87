import { type Conversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { tryParseJson } from '#shared/json.ts';
import {
  type AuthAnswer,
  type Check,
  OK,
  type Outcome,
  type Subject,
  accountOf,
  describeAnswer,
  failed,
  isAccepted,
  notTested,
} from './subject.ts';

/** A text that no account has as its password. It satisfies the client's rule. */
const WRONG_PASSWORD = 'wrong1!pass2!';
const BODY_BYTES = 2_000_000;

const REFUSAL = 'an error status with a sentence for the person';

/** Expects a refusal: the form shows the body (spec §7). */
function expectRefusal(answer: AuthAnswer): Outcome {
  const isRefused = answer.status !== null && answer.status >= 400 && answer.body.trim() !== '';
  return isRefused ? OK : failed(describeAnswer(answer), REFUSAL);
}

const check = (id: string, checks: string, run: Check['run']): Check => ({
  id,
  row: 'spec §4.1',
  checks,
  runsWithoutSnapshot: true,
  run,
});

/** Returns an email of no account, with a random identifier. */
const unknownEmail = () => `nobody-${crypto.randomUUID()}@example.org`;

/** The checks of `POST {api_url}/auth` (spec §4.1, §2.1). */
export const signInChecks: readonly Check[] = [
  check('identifier', 'the answer to credentials is the account identifier, as text', ({ account }) => {
    if (typeof tryParseJson(account) === 'object')
      return failed('JSON', 'the identifier alone, as text or as a JSON string');
    const isSegment = account.isWellFormed() && account !== '.' && account !== '..';
    return isSegment
      ? OK
      : failed('a text that cannot be a segment of a path', 'a segment of a path (spec §4.2)');
  }),
  check('login', 'a login returns the account with its conversation', async (subject) => {
    const answer = await subject.post(subject.credentials);
    return isAccepted(answer)
      ? sameAccount(subject, accountOf(answer))
      : failed(describeAnswer(answer), 'the identifier');
  }),
  {
    ...check('login-name', 'a name that is null, empty or missing means login', async (subject) => {
      const { email, password } = subject.credentials;
      for (const [words, fields] of [
        ['null', { email, password, name: null }],
        ['empty', { email, password, name: '' }],
        ['missing', { email, password }],
      ] as const) {
        const answer = await subject.post(fields);
        if (!isAccepted(answer))
          return failed(`with a name that is ${words}: ${describeAnswer(answer)}`, 'a login');
      }
      return OK;
    }),
    row: 'spec §2.1 name',
  },
  check('wrong-password', 'a wrong password is refused, with a text', async ({ post, credentials }) =>
    expectRefusal(await post({ ...credentials, password: WRONG_PASSWORD })),
  ),
  check(
    'unknown-email',
    'an email that is not registered is refused, with a text',
    async ({ post, credentials }) => expectRefusal(await post({ ...credentials, email: unknownEmail() })),
  ),
  check(
    'taken-email',
    'a second registration of an email is refused, with a text',
    async ({ post, credentials }) =>
      expectRefusal(await post({ ...credentials, password: WRONG_PASSWORD, name: 'Somebody Else' })),
  ),
  check('malformed', 'a body that is not JSON is refused, with a text', async ({ post }) =>
    expectRefusal(await post('{')),
  ),
  check('fields', 'a body without email and password is refused, with a text', async ({ post }) =>
    expectRefusal(await post({})),
  ),
  check('large-body', 'a body of 2 MB does not stop the platform', async ({ post, credentials }) => {
    const large = await post({ ...credentials, password: 'a'.repeat(BODY_BYTES) });
    if (isAccepted(large)) return failed(describeAnswer(large), 'an error status, or a closed connection');
    const login = await post(credentials);
    return isAccepted(login) ? OK : failed(`the next login: ${describeAnswer(login)}`, 'a login as before');
  }),
];

/** Compares the account of a login with the account of the test: the same identifier, or the same conversation. */
async function sameAccount({ account, first, open }: Subject, other: string): Promise<Outcome> {
  if (other === account) return OK;
  const socket = await open(other);
  const [snapshot] = socket.frames;
  socket.terminate();
  if (snapshot === undefined) return failed('an identifier that opens no conversation', 'the account');
  if (first.frames.length === 0) return notTested('no snapshot arrived for the first identifier');
  const isSame =
    shownIds(snapshot.conversation).join('\n') === shownIds(first.frames.at(-1)?.conversation).join('\n');
  return isSame ? OK : failed('another conversation', 'the conversation of the account');
}

/** Returns the person and the identifiers of all messages that a client shows. */
const shownIds = (conversation: Conversation | undefined): readonly string[] => {
  if (conversation === undefined) return [];
  const { person, messages } = toSnapshot(conversation);
  return [person ?? '', ...messages.map(({ id = '' }) => id)];
};
