import { randomUUID } from 'node:crypto';
import { tryParseJson, type JsonObject, isJsonObject } from '#shared/json.ts';
import { type Fault, type FaultyConnection, type SignInAnswer, testFault } from './startFaultyPlatform.ts';

/** A fault: the check that must find it, what the platform does wrong, and the checks that cause the traffic. */
type Row = readonly [id: string, words: string, fault: () => Fault, ...also: string[]];

function objectOf(text: string): JsonObject {
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

const isClient: Matches = ({ modifier }) => modifier === 'client';
const isAnswer: Matches = ({ modifier }) => modifier === 'ai';
const isSnapshot: Matches = (frame) => 'person' in frame;
const isMessage: Matches = (frame) => 'modifier' in frame;
const isRegistration: Matches = ({ name }) => typeof name === 'string' && name !== '';
const isWrong: Matches = ({ password }) => password === 'wrong1!pass2!';
const isNobody: Matches = ({ email }) => String(email).startsWith('nobody');
const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);
const accepted = { status: 200, body: 'an account' };

const acceptMalformed = (): Fault => ({ signIn: (body, right) => (body === '{' ? accepted : right) });

const signInFaults: readonly Row[] = [
  ['identifier', 'answers with a JSON object', answerTo(isRegistration, { body: '{"account":"a1"}' })],
  ['login', 'refuses logins', answerTo((fields) => !isRegistration(fields), { status: 403 })],
  ['login-name', 'refuses a name that is null', answerTo(({ name }) => name === null, { status: 422 })],
  ['wrong-password', 'accepts any password', answerTo(isWrong, accepted)],
  ['unknown-email', 'accepts any email', answerTo(isNobody, accepted)],
  ['taken-email', 'registers an email twice', answerTo(isWrong, accepted)],
  ['fields', 'accepts no fields', answerTo((fields) => Object.keys(fields).length === 0, accepted)],
  ['malformed', 'accepts what is not JSON', acceptMalformed],
  ['large-body', 'accepts 2 MB', answerTo(({ password }) => lengthOf(password) > 1e6, accepted)],
];

const socketFaults: readonly Row[] = [
  ['snapshot', 'sends no snapshot', dropFrames(isSnapshot)],
  ['person', 'changes the name', changeFrames(isSnapshot, (frame) => ({ ...frame, person: 'Other' }))],
  ['pong', 'answers no pings', () => ({ ignoresPings: true })],
  ['unauthorized', 'closes without a reason', () => ({ closeReason: () => '' })],
  ['logout', 'signs out every client when one leaves', () => ({ onClientClose: signOut })],
  ['closes', 'closes a socket after a text', closeAfterText, 'echo-text'],
  ['two-clients', 'sends messages to one client only', dropFrames(isMessage, ({ number }) => number === 1)],
  ['reconnect', 'forgets the newest message', changeFrames(isSnapshot, withoutNewest)],
  ['isolation', 'sends messages to every account', () => ({ toClient: toEveryone })],
  ['invalid-frames', 'closes every socket for a wrong frame', closeAfterWrongFrame],
  ['large-frame', 'accepts no texts after a large frame', dropAfterLargeFrame],
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

function closeAfterWrongFrame(): Fault {
  return {
    toPlatform(data, _, all) {
      if (data === '{') for (const { close } of all) close(1003, '');
      return [data];
    },
  };
}

function closeAfterText(): Fault {
  return {
    toClient(frame, { close }) {
      if (isClient(objectOf(frame))) setImmediate(() => close(1012, 'maintenance'));
      return [frame];
    },
  };
}

function dropAfterLargeFrame(): Fault {
  let isFull = false;
  return {
    toPlatform(data) {
      isFull ||= data.length > 2e6;
      return isFull ? [] : [data];
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
  ['echo-image', 'returns images as files', changeEcho('image', { category: 'file' })],
  ['echo-file', 'returns files without their content', changeEcho('file', { blob: '' })],
  ['echo-audio', 'gives recordings a text', changeEcho('audio', { text: 'A recording' })],
  ['long-text', 'drops long texts', dropMessages(({ text }) => lengthOf(text) > 200)],
  ['large-file', 'drops files over 500 kB', dropMessages(({ blob }) => lengthOf(blob) > 600_000)],
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

function runOn(): Fault {
  let isRunning = false;
  return {
    toClient(frame) {
      const fields = objectOf(frame);
      if (isAnswer(fields)) isRunning = true;
      if (fields.context === 'Echo') isRunning = false;
      if (fields.context === 'Echo · stopped') return [];
      return isClient(fields) && isRunning ? [frame, '{"text":"the rest of the answer"}'] : [frame];
    },
  };
}

const label = (text: string) => JSON.stringify({ context: text });
const burst = Array.from({ length: 40 }, (_, n) => label(`${n}`));
const formattedImage = '{"category":"image","text":"a.png","blob":"AAAA","format":"markdown"}';
const content = [{ category: 'text', text: '!' }];
const said = (fields: object) => JSON.stringify({ id: randomUUID(), modifier: 'admin', content, ...fields });
const unknownButton = said({ notice: true, action: 'buy' });
const wrongDivider = said({ divider: true, modifier: 'ai' });
const growing = ['{"category":"text","text":"a","format":"markdown"}', '{"text":"abc"}', '{"text":"ab"}'];

const withField = (field: string, value: unknown, matches: Matches = isMessage) =>
  changeFrames(matches, (frame) => ({ ...frame, [field]: value }));

const updateFaults: readonly Row[] = [
  ['answer', 'sends a burst of updates', addAfter(isAnswer, ...burst)],
  ['interrupted', 'lets an answer run on after the next text', runOn],
  ['unchanged', 'overwrites the person’s words', addAfter(isClient, '{"text":"overwritten"}'), 'order'],
  ['frames', 'sends a label that is a number', addAfter(isClient, '{"context":5}'), 'order'],
  ['targets', 'sends a label before any message', () => ({ toClient: (frame) => [label('early'), frame] })],
  ['ids', 'gives messages the same id', withField('id', 'm1'), 'order'],
  ['modifiers', 'names another sender', addAfter(isClient, said({ modifier: 'assistant' })), 'order'],
  ['avatars', 'sends the address of an avatar', withField('avatar', 'https://a.org/a.png'), 'order'],
  ['times', 'gives a message its time as a number', withField('time', 1_793_000_000_000), 'order'],
  ['words', 'lists its words as a text', withField('words', 'stop', isSnapshot)],
  ['items', 'sends an image without its content', changeEcho('image', { blob: null }), 'echo-image'],
  ['format', 'gives an image a format', addAfter(isClient, formattedImage), 'order'],
  ['growth', 'takes a character of a text back', addAfter(isClient, ...growing), 'order'],
  ['notices', 'gives a notice an unknown button', addAfter(isClient, unknownButton), 'order'],
  ['dividers', 'sends a divider as the assistant', addAfter(isClient, wrongDivider), 'order'],
];

/** What waits for an answer, for something that does not come, or for a close of another client. */
const SLOW =
  /^(?:large-.+|snapshot|pong|two-clients|reconnect|logout|echo-text|long-text|answer|interrupted)$/;

/** A fault, or more, for each check that can fail. */
export const FAULTS = [...signInFaults, ...socketFaults, ...echoFaults, ...updateFaults].map(
  ([id, words, fault, ...also]) => ({ id, words, fault, also, isSlow: SLOW.test(id) }),
);

const combine = (faults: readonly Fault[]): Fault => ({
  ...faults[0],
  toClient: (frame, ...to) =>
    faults.reduce((frames, { toClient }) => frames.flatMap((one) => toClient?.(one, ...to) ?? one), [frame]),
});

/**
 * Makes the slow faults, or the others, each on a platform of its own, but together those of frames that three texts show; resolves with the
 * outcomes of the checks that must find them.
 */
export async function findFaults(rightUrl: string, wanted: { isSlow: boolean; timeoutMs: number }) {
  const { timeoutMs } = wanted;
  const faults = FAULTS.filter(({ isSlow }) => isSlow === wanted.isSlow);
  const isOfOrder = ({ also }: (typeof faults)[number]) => also[0] === 'order';
  const alone = faults.filter((fault) => !isOfOrder(fault)).map((fault) => [fault]);
  const groups = [faults.filter(isOfOrder), ...alone].filter(({ length }) => length > 0);
  const find = async (group: typeof faults) => {
    const only = group.flatMap(({ id, also }) => [...also, id]);
    const fault = combine(group.map(({ fault: create }) => create()));
    const rows = await testFault(rightUrl, { fault, only, timeoutMs });
    return group.map(({ id, words }) => ({ words, outcome: rows.find((row) => row.id === id)?.outcome }));
  };
  return (await Promise.all(groups.map(find))).flat();
}
