import type { Fault } from './startFaultyPlatform.ts';
import { type SeededFault, answerTo, isWrong, lengthOf, isRegistration, accepted } from './seededFault.ts';

/** Faults of sign-ins. */
export const signInFaults: readonly SeededFault[] = [
  {
    id: 'identifier',
    words: 'answers with a JSON object',
    fault: answerTo(isRegistration, { body: '{"account":"a1"}' }),
  },
  {
    id: 'login',
    words: 'refuses logins',
    fault: answerTo((fields) => !isRegistration(fields), { status: 403 }),
  },
  {
    id: 'login',
    words: 'returns another account',
    fault: answerTo((fields) => !isRegistration(fields), { body: 'other' }),
  },
  {
    id: 'login-name',
    words: 'refuses a name that is null',
    fault: answerTo(({ name }) => name === null, { status: 422 }),
  },
  {
    id: 'login-name',
    words: 'refuses a missing name',
    fault: answerTo((fields) => !('name' in fields), { status: 422 }),
  },
  { id: 'wrong-password', words: 'accepts any password', fault: answerTo(isWrong, accepted) },
  { id: 'wrong-password', words: 'refuses without a text', fault: answerTo(isWrong, { body: '' }) },
  {
    id: 'unknown-email',
    words: 'accepts any email',
    fault: answerTo(({ email }) => String(email).startsWith('nobody'), accepted),
  },
  { id: 'taken-email', words: 'registers an email twice', fault: answerTo(isWrong, accepted) },
  {
    id: 'fields',
    words: 'accepts no fields',
    fault: answerTo((fields) => Object.keys(fields).length === 0, accepted),
  },
  {
    id: 'malformed',
    words: 'accepts what is not JSON',
    fault: () => ({ signIn: (body, right) => (body === '{' ? accepted : right) }),
  },
  {
    id: 'large-body',
    words: 'accepts 2 MB',
    fault: answerTo(({ password }) => lengthOf(password) > 1e6, accepted),
  },
  { id: 'large-body', words: 'refuses every login after a large body', fault: failAfterLargeBody },
];

function failAfterLargeBody(): Fault {
  let hasFailed = false;
  return {
    signIn(body, right) {
      hasFailed ||= body.length > 1e6;
      return hasFailed ? { status: 503, body: 'out of memory' } : right;
    },
  };
}
