import { tryParseJson, type JsonObject, isJsonObject } from '#shared/json.ts';
import type { Fault, SignInAnswer } from './startFaultyPlatform.ts';

/** A fault, the check that must find it, and the checks that cause the traffic for it. */
export interface SeededFault {
  readonly id: string;
  /** What the platform does wrong. */
  readonly words: string;
  /** Creates the fault. */
  readonly fault: () => Fault;
  readonly also: readonly string[];
}

const seeded = (id: string, words: string, fault: () => Fault): SeededFault => ({
  id,
  words,
  fault,
  also: [],
});

/** Returns a fault whose traffic another check causes. */
const after = (check: string, one: SeededFault): SeededFault => ({ ...one, also: [check] });

const objectOf = (text: string): JsonObject => {
  const value = tryParseJson(text);
  return isJsonObject(value) ? value : {};
};

type Matches = (object: JsonObject) => boolean;

/** Replaces the answer to sign-ins whose body matches. */
const answerTo = (matches: Matches, answer: Partial<SignInAnswer>) => (): Fault => ({
  signIn: (body, right) => (matches(objectOf(body)) ? { ...right, ...answer } : right),
});

/** Changes each frame that matches and that the client receives. */
const changeFrames = (matches: Matches, change: (frame: JsonObject) => object) => (): Fault => ({
  toClient: (frame) => [matches(objectOf(frame)) ? JSON.stringify(change(objectOf(frame))) : frame],
});

/** Adds frames after each one that matches. */
const addAfter =
  (matches: Matches, ...added: readonly string[]) =>
  (): Fault => ({
    toClient: (frame) => (matches(objectOf(frame)) ? [frame, ...added] : [frame]),
  });

/** Drops messages of the client that match. */
const dropMessages = (matches: Matches) => (): Fault => ({
  toPlatform: (data) => (matches(objectOf(data)) ? [] : [data]),
});

const isClient: Matches = ({ modifier }) => modifier === 'client';
const isAnswer: Matches = ({ modifier }) => modifier === 'ai';
const isSnapshot: Matches = (frame) => 'person' in frame;
const isMessage: Matches = (frame) => 'modifier' in frame;
const isRegistration: Matches = ({ name }) => typeof name === 'string' && name !== '';
const isWrong: Matches = ({ password }) => password === 'wrong1!pass2!';
const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);
const accepted = { status: 200, body: 'an account' };

/** Faults of sign-ins. */
const signInFaults: readonly SeededFault[] = [
  seeded('identifier', 'answers with a JSON object', answerTo(isRegistration, { body: '{"account":"a1"}' })),
  seeded(
    'login',
    'refuses logins',
    answerTo((fields) => !isRegistration(fields), { status: 403 }),
  ),
  seeded(
    'login-name',
    'refuses a name that is null',
    answerTo(({ name }) => name === null, { status: 422 }),
  ),
  seeded('wrong-password', 'accepts any password', answerTo(isWrong, accepted)),
  seeded(
    'unknown-email',
    'accepts any email',
    answerTo(({ email }) => String(email).startsWith('nobody'), accepted),
  ),
  seeded('taken-email', 'registers an email twice', answerTo(isWrong, accepted)),
  seeded(
    'fields',
    'accepts no fields',
    answerTo((fields) => Object.keys(fields).length === 0, accepted),
  ),
  seeded('malformed', 'accepts what is not JSON', () => ({
    signIn: (body, right) => (body === '{' ? accepted : right),
  })),
  seeded(
    'large-body',
    'accepts 2 MB',
    answerTo(({ password }) => lengthOf(password) > 1e6, accepted),
  ),
];

/** Faults of sockets, of one client and of several. */
const socketFaults: readonly SeededFault[] = [
  seeded('snapshot', 'sends no snapshot', () => ({
    toClient: (frame) => (isSnapshot(objectOf(frame)) ? [] : [frame]),
  })),
  seeded(
    'person',
    'changes the name',
    changeFrames(isSnapshot, (frame) => ({ ...frame, person: 'Other' })),
  ),
  seeded('pong', 'answers no pings', () => ({ ignoresPings: true })),
  seeded('unauthorized', 'closes without a reason', () => ({ closeReason: () => '' })),
  seeded('logout', 'signs out every client when one leaves', () => ({
    onClientClose: (_, all) => all.forEach(({ close }) => close(4401, 'unauthorized')),
  })),
  seeded('two-clients', 'sends the person’s messages to one client only', () => ({
    toClient: (frame, { number }) => (number === 1 && isMessage(objectOf(frame)) ? [] : [frame]),
  })),
  seeded(
    'reconnect',
    'forgets the newest message',
    changeFrames(isSnapshot, ({ messages, ...frame }) => ({
      ...frame,
      messages: Array.isArray(messages) ? messages.slice(0, -1) : [],
    })),
  ),
  seeded('invalid-frames', 'closes every socket for a wrong frame', () => ({
    toPlatform(data, _, all) {
      if (data === '{') for (const { close } of all) close(1003, '');
      return [data];
    },
  })),
];

/** Changes the only content item of the person's messages. */
const changeEcho = (category: string, change: object) =>
  changeFrames(isClient, (frame) => {
    const [item] = Array.isArray(frame.content) ? frame.content : [];
    return isJsonObject(item) && item.category === category
      ? { ...frame, content: [{ ...item, ...change }] }
      : frame;
  });

/** Faults of what the platform returns. */
const echoFaults: readonly SeededFault[] = [
  seeded(
    'echo-text',
    'returns no texts',
    dropMessages(({ category }) => category === 'text'),
  ),
  seeded('echo-image', 'returns images as files', changeEcho('image', { category: 'file' })),
  seeded('echo-file', 'returns files without their content', changeEcho('file', { blob: '' })),
  seeded('echo-audio', 'gives recordings a text', changeEcho('audio', { text: 'A recording' })),
  seeded(
    'long-text',
    'drops long texts',
    dropMessages(({ text }) => lengthOf(text) > 200),
  ),
  seeded(
    'large-file',
    'drops files over 500 kB',
    dropMessages(({ blob }) => lengthOf(blob) > 600_000),
  ),
];

const withField = (field: string, value: unknown, matches: Matches = isMessage) =>
  changeFrames(matches, (frame) => ({ ...frame, [field]: value }));

/** Faults of updates and of their fields. */
const updateFaults: readonly SeededFault[] = [
  after(
    'echo-text',
    seeded('unchanged', 'overwrites the person’s words', addAfter(isClient, '{"text":"overwritten"}')),
  ),
  after('echo-text', seeded('frames', 'sends a label that is a number', addAfter(isClient, '{"context":5}'))),
  after('order', seeded('ids', 'gives messages the same id', withField('id', 'm1'))),
  after('answer', seeded('modifiers', 'names another sender', withField('modifier', 'assistant', isAnswer))),
];

/** Faults of each kind: of sign-ins, sockets, echoes and updates. */
export const FAULTS: readonly SeededFault[] = [
  ...signInFaults,
  ...socketFaults,
  ...echoFaults,
  ...updateFaults,
];
