import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryParseJson, type JsonObject, isJsonObject } from '#shared/json.ts';

/** An answer of the platform to a sign-in. */
export interface SignInAnswer {
  readonly status: number;
  readonly body: string;
}

/** A connection to the faulty platform: its number from 0, and ways to send, to close and to wait. */
export interface FaultyConnection {
  readonly number: number;
  readonly account: string;
  send(data: string): void;
  close(code: number, reason: string): void;
  after(ms: number, task: () => void): void;
}

type Connections = readonly FaultyConnection[];
/** Returns the frames that are sent in place of one. */
type ChangeFrame = (frame: string, connection: FaultyConnection, all: Connections) => readonly string[];

/** What the platform does wrong. A part that is missing is right. */
export interface Fault {
  readonly signIn?: (body: string, answer: SignInAnswer) => SignInAnswer;
  readonly toClient?: ChangeFrame;
  readonly toPlatform?: ChangeFrame;
  readonly onClose?: (connection: FaultyConnection, all: Connections) => void;
  readonly closeReason?: (reason: string) => string;
  /** The time until a pong; `null`: there is none. */
  readonly pongMs?: number | null;
  readonly keepsOpen?: boolean;
}

/** A fault: the check that must find it, what the platform does wrong, and the checks that cause the traffic. */
type Row = readonly [id: string, words: string, fault: () => Fault, ...also: string[]];

/** Returns the JSON object of a text; an empty one for other texts. */
export function objectOf(text: string): JsonObject {
  const value = tryParseJson(text);
  return isJsonObject(value) ? value : {};
}

type Matches = (object: JsonObject) => boolean;

const answerTo = (matches: Matches, answer: Partial<SignInAnswer>) => (): Fault => ({
  signIn: (body, right) => (matches(objectOf(body)) ? { ...right, ...answer } : right),
});

const changeFrames = (matches: Matches, change: (frame: JsonObject) => object) => (): Fault => ({
  toClient: (frame) => [matches(objectOf(frame)) ? JSON.stringify(change(objectOf(frame))) : frame],
});

const addAfter =
  (matches: Matches, ...added: readonly string[]) =>
  (): Fault => ({ toClient: (frame) => (matches(objectOf(frame)) ? [frame, ...added] : [frame]) });

const dropFrames =
  (matches: Matches, isFor: (connection: FaultyConnection) => boolean = () => true) =>
  (): Fault => ({ toClient: (frame, to) => (matches(objectOf(frame)) && isFor(to) ? [] : [frame]) });

const dropMessages = (matches: Matches) => (): Fault => ({
  toPlatform: (data) => (matches(objectOf(data)) ? [] : [data]),
});

const remark = { category: 'text', text: '!' };
const label = (text: string) => JSON.stringify({ context: text });
const sendLabelFirst = (): Fault => ({ toClient: (frame) => [label('early'), frame] });

const isClient: Matches = ({ modifier }) => modifier === 'client';
const isAnswer: Matches = ({ modifier }) => modifier === 'ai';
const isSnapshot: Matches = (frame) => 'person' in frame;
const isMessage: Matches = (frame) => 'modifier' in frame;
const isRegistration: Matches = ({ name }) => typeof name === 'string' && name !== '';
const isWrong: Matches = ({ password }) => password === 'wrong1!pass2!';
const isNobody: Matches = ({ email }) => String(email).startsWith('nobody');
const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);
const accepted = { status: 200, body: 'an account' };

const withField = (field: string, value: unknown, matches: Matches = isMessage) =>
  changeFrames(matches, (frame) => ({ ...frame, [field]: value }));

const acceptMalformed = (): Fault => ({ signIn: (body, right) => (body === '{' ? accepted : right) });

const onLogin = (answer: Partial<SignInAnswer>) => answerTo((fields) => !isRegistration(fields), answer);
const isOther: Matches = ({ email }) => email === 'other@example.org';

const signInFaults: readonly Row[] = [
  ['identifier', 'answers with a JSON object', answerTo(isRegistration, { body: '{"account":"a1"}' })],
  ['identifier', 'answers with two dots', answerTo(isRegistration, { body: '..' })],
  ['identifier', 'answers with half of a character', answerTo(isRegistration, { body: '\uD800' })],
  ['identifier', 'answers with a JSON string', answerTo(isRegistration, { body: '"ada@example.org"' })],
  ['login', 'refuses logins', onLogin({ status: 403 })],
  ['login', 'logs in to no account', onLogin({ body: 'nobody' })],
  ['login', 'logs in to another account', onLogin({ body: 'other@example.org' }), 'isolation', 'order'],
  ['login', 'gives each login an identifier of its own', onLogin({ body: 'ada@example.org~2' })],
  ['login-name', 'refuses a name that is null', answerTo(({ name }) => name === null, { status: 422 })],
  ['login-name', 'refuses an empty name', answerTo(({ name }) => name === '', { status: 422 })],
  ['login-name', 'refuses a missing name', answerTo((fields) => !('name' in fields), { status: 422 })],
  ['wrong-password', 'refuses without words', answerTo(isWrong, { body: ' ' })],
  ['wrong-password', 'refers to another page', answerTo(isWrong, { status: 302, body: 'There.' })],
  ['wrong-password', 'accepts any password', answerTo(isWrong, accepted)],
  ['unknown-email', 'accepts any email', answerTo(isNobody, accepted)],
  ['taken-email', 'registers an email twice', answerTo(isWrong, accepted)],
  ['fields', 'accepts no fields', answerTo((fields) => Object.keys(fields).length === 0, accepted)],
  ['malformed', 'accepts what is not JSON', acceptMalformed],
  ['large-body', 'accepts 2 MB', answerTo(({ password }) => lengthOf(password) > 1e6, accepted)],
  ['large-body', 'refuses logins', onLogin({ status: 500, body: '' })],
];

const isFirst = ({ number }: FaultyConnection) => number === 0;
const isSecond = ({ number }: FaultyConnection) => number === 1;
const isThird = ({ number }: FaultyConnection) => number === 2;
const dropAll = dropMessages(() => true);

const socketFaults: readonly Row[] = [
  ['snapshot', 'answers with a JSON string', answerTo(isRegistration, { body: '"ada@example.org"' })],
  ['snapshot', 'sends no snapshot', dropFrames(isSnapshot)],
  ['snapshot', 'sends no second snapshot', dropFrames(isSnapshot, isSecond)],
  ['snapshot', 'sends a label first', sendLabelFirst],
  ['snapshot', 'does not know its account', answerTo(isRegistration, { body: 'nobody' })],
  ['person', 'changes the name', changeFrames(isSnapshot, (frame) => ({ ...frame, person: 'Other' }))],
  ['pong', 'answers no pings', () => ({ pongMs: null })],
  ['pong', 'answers pings in 1,001 ms', () => ({ pongMs: 1001 })],
  ['pong', 'answers pings in 1,000 ms', () => ({ pongMs: 1000 })],
  ['unauthorized', 'closes without a reason', () => ({ closeReason: () => '' })],
  ['logout', 'signs out every client when one leaves', () => ({ onClose: signOut })],
  ['logout', 'answers no close', () => ({ keepsOpen: true })],
  ['closes', 'closes a socket after a text', () => closeAfter(isClient, 'maintenance'), 'echo-text'],
  ['two-clients', 'sends messages to one client only', dropFrames(isMessage, isSecond)],
  ['two-clients', 'sends answers to one client only', dropFrames(isAnswer, isSecond)],
  [
    'two-clients',
    'ignores the second client',
    () => ({ toPlatform: (data, to) => (isSecond(to) ? [] : [data]) }),
  ],
  ['reconnect', 'sends no snapshot again', dropFrames(isSnapshot, isThird)],
  ['reconnect', 'returns nothing', dropAll],
  ['reconnect', 'forgets the newest message', changeFrames(isSnapshot, withoutNewest)],
  ['isolation', 'sends messages to every account', () => ({ toClient: toEveryone })],
  [
    'isolation',
    'ignores the other account',
    dropFrames(isClient, ({ account }) => account === 'other@example.org'),
  ],
  ['isolation', 'refuses a second registration', answerTo(isOther, { status: 403 })],
  ['invalid-frames', 'closes the second client for a wrong frame', () => closeAfterWrongFrame(isSecond)],
  ['invalid-frames', 'closes every socket for a wrong frame', () => closeAfterWrongFrame()],
  ['invalid-frames', 'sends messages to one client only', dropFrames(isMessage, isFirst)],
  ['large-frame', 'returns nothing', dropAll],
];

function signOut(_: FaultyConnection, all: readonly FaultyConnection[]): void {
  for (const { close } of all) close(4401, 'unauthorized');
}

function withoutNewest({ messages, ...frame }: JsonObject) {
  return { ...frame, messages: Array.isArray(messages) ? messages.slice(0, -1) : [] };
}

function toEveryone(frame: string, { account }: FaultyConnection, all: readonly FaultyConnection[]) {
  if (isClient(objectOf(frame))) for (const one of all) if (one.account !== account) one.send(frame);
  return [frame];
}

function closeAfterWrongFrame(isFor: (connection: FaultyConnection) => boolean = () => true): Fault {
  return {
    toPlatform(data, _, all) {
      if (data === '{') for (const one of all.filter(isFor)) one.close(1003, '');
      return [data];
    },
  };
}

function closeAfter(matches: Matches, reason: string): Fault {
  return {
    toClient(frame, { send, close }) {
      send(frame);
      if (matches(objectOf(frame))) close(1012, reason);
      return [];
    },
  };
}

const changeEcho = (category: string, change: object) =>
  changeFrames(isClient, (frame) => {
    const [item] = Array.isArray(frame.content) ? frame.content : [];
    return isJsonObject(item) && item.category === category
      ? { ...frame, content: [{ ...item, ...change }] }
      : frame;
  });

const echoFaults: readonly Row[] = [
  ['echo-text', 'returns no texts', dropMessages(({ category }) => category === 'text')],
  ['echo-text', 'returns two items', withField('content', [remark, remark], isClient)],
  ['echo-text', 'closes with a long reason', () => closeAfter(isSnapshot, 'x'.repeat(99))],
  ['echo-image', 'returns images as files', changeEcho('image', { category: 'file' })],
  ['echo-file', 'returns files without their content', changeEcho('file', { blob: '' })],
  ['echo-audio', 'gives recordings a text', changeEcho('audio', { text: 'A recording' })],
  ['long-text', 'drops long texts', dropMessages(({ text }) => lengthOf(text) > 200)],
  ['large-file', 'drops files over 500 kB', dropMessages(({ blob }) => lengthOf(blob) > 600_000)],
  ['order', 'drops a text', dropMessages(({ text }) => String(text).startsWith('two '))],
  ['order', 'returns texts in another order', swapTexts],
];

function swapTexts(): Fault {
  let held: readonly string[] = [];
  return {
    toPlatform(data) {
      if (data.includes('"one ')) {
        held = [data];
        return [];
      }
      const frames = [data, ...held];
      held = [];
      return frames;
    },
  };
}

const runOn = (rest: object) => (): Fault => {
  let isRunning = false;
  return {
    toClient(frame) {
      const fields = objectOf(frame);
      if (isAnswer(fields)) isRunning = true;
      return isClient(fields) && isRunning ? [frame, JSON.stringify(rest)] : [frame];
    },
  };
};

/** A platform that sends 40 updates more with each answer, with this time between them. */
const burst = (gapMs: number) => (): Fault => ({
  toClient(frame, { send, after }) {
    for (let n = 1; n <= 40 && isAnswer(objectOf(frame)); n++) after(n * gapMs, () => send(label(`${n}`)));
    return [frame];
  },
});

const png = 'iVBORw0KGgo';

/** What a platform sends after each text: each line has the check that judges it, words, and frames, in which `a{9}` is nine letters. */
const sentFaults = readFileSync(join(import.meta.dirname, 'sent.txt'), 'utf8')
  .replaceAll(/a\{(\d+)\}/g, (_, count) => 'a'.repeat(Number(count)))
  .trimEnd()
  .split('\n')
  .map((line): Row => {
    const [id = '', words = '', ...frames] = line.split(' | ');
    return [id, `sends ${words}`, addAfter(isClient, ...frames), 'order'];
  });

const updateFaults: readonly Row[] = [
  ['answer', 'sends an update each 54 ms', burst(54)],
  ['answer', 'sends an update each 55 ms', burst(55)],
  ['answer', 'returns nothing', dropAll],
  ['answer', 'answers nothing', dropFrames(isAnswer)],
  ['interrupted', 'lets an answer run on after the next text', runOn({ text: 'the rest' })],
  ['interrupted', 'adds an item of an answer to the next text', runOn(remark)],
  ['interrupted', 'answers nothing', dropFrames(isAnswer)],
  [
    'frames',
    'sends no JSON to the second client',
    () => ({ toClient: (frame, to) => (isSecond(to) ? [frame, 'x'] : [frame]) }),
  ],
  ['targets', 'sends a label before any message', sendLabelFirst],
  ['ids', 'gives messages the same id', withField('id', 'm1'), 'order'],
  ['ids', 'gives a message no id', withField('id', ''), 'order'],
  ['ids', 'gives the messages of a snapshot no id', withField('messages', [{}], isSnapshot)],
  ['avatars', 'sends the address of an avatar', withField('avatar', 'https://a.org/a.png'), 'order'],
  ['avatars', 'sends an avatar that is no base64', withField('avatar', `${png}?`), 'order'],
  ['avatars', 'sends a PNG', withField('avatar', `${png}=`), 'order'],
  ['times', 'gives a message its time as a number', withField('time', 1_793_000_000_000), 'order'],
  ['times', 'gives a message its time in seconds', withField('time', '2026-11-20T09:00:00Z'), 'order'],
  ['words', 'lists no words', changeFrames(isSnapshot, ({ person, messages }) => ({ person, messages }))],
  ['words', 'lists its words as a text', withField('words', 'stop', isSnapshot)],
  ['words', 'lists a number among its words', withField('words', ['stop', 5], isSnapshot)],
  ['items', 'sends an image without its content', changeEcho('image', { blob: null }), 'echo-image'],
];

/** Faults, and what is right but unusual, for each check that can fail. */
export const FAULTS = [...signInFaults, ...socketFaults, ...echoFaults, ...updateFaults, ...sentFaults].map(
  ([id, words, fault, ...also]) => ({ id, words, fault, also }),
);
