import { randomUUID } from 'node:crypto';
import { tryParseJson, type JsonObject, isJsonObject } from '#shared/json.ts';
import type { Fault, SignInAnswer, FaultyConnection } from './startFaultyPlatform.ts';

/** A fault, the check that must find it, and the checks that cause the traffic for it. */
export interface SeededFault {
  readonly id: string;
  readonly also?: readonly string[];
  /** What the platform does wrong. */
  readonly words: string;
  /** Creates the fault. */
  readonly fault: () => Fault;
}

export const objectOf = (text: string): JsonObject => {
  const value = tryParseJson(text);
  return isJsonObject(value) ? value : {};
};

/** Replaces the answer to sign-ins whose body matches. */
export const answerTo =
  (matches: (fields: JsonObject) => boolean, answer: Partial<SignInAnswer>) => (): Fault => ({
    signIn: (body, right) => (matches(objectOf(body)) ? { ...right, ...answer } : right),
  });

/** Changes each frame that the client receives. */
export const changeFrames = (change: (frame: JsonObject) => object) => (): Fault => ({
  toClient: (frame) => [JSON.stringify(change(objectOf(frame)))],
});

/** Adds frames after each one that matches. */
export const addAfter =
  (matches: (frame: JsonObject) => boolean, added: readonly (string | Buffer)[]) => (): Fault => ({
    toClient: (frame) => (matches(objectOf(frame)) ? [frame, ...added] : [frame]),
  });

/** Drops messages of the client that match. */
export const dropMessages = (matches: (message: JsonObject) => boolean) => (): Fault => ({
  toPlatform: (data) => (matches(objectOf(data)) ? [] : [data]),
});

export const isClient = ({ modifier }: JsonObject) => modifier === 'client';
export const isAnswer = ({ modifier }: JsonObject) => modifier === 'ai';
export const isSnapshot = (frame: JsonObject) => 'person' in frame;
export const isMessage = (frame: JsonObject) => 'modifier' in frame;
export const isWrong = ({ password }: JsonObject) => password === 'wrong1!pass2!';
export const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);
export const isRegistration = ({ name }: JsonObject) => typeof name === 'string' && name !== '';
export const accepted = { status: 200, body: 'an account' };

/** Changes the only content item of the person's messages. */
export const changeEcho = (category: string, change: object) =>
  changeFrames((frame) => {
    const [item] = isClient(frame) && Array.isArray(frame.content) ? frame.content : [];
    return isJsonObject(item) && item.category === category
      ? { ...frame, content: [{ ...item, ...change }] }
      : frame;
  });

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
    id: 'login-name',
    words: 'refuses a name that is null',
    fault: answerTo(({ name }) => name === null, { status: 422 }),
  },
  { id: 'wrong-password', words: 'accepts any password', fault: answerTo(isWrong, accepted) },
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
];

/** Faults of a socket. */
export const socketFaults: readonly SeededFault[] = [
  {
    id: 'snapshot',
    words: 'sends no snapshot',
    fault: () => ({ toClient: (frame) => (isSnapshot(objectOf(frame)) ? [] : [frame]) }),
  },
  {
    id: 'person',
    words: 'changes the name',
    fault: changeFrames((frame) => (isSnapshot(frame) ? { ...frame, person: 'Other' } : frame)),
  },
  { id: 'pong', words: 'answers no pings', fault: () => ({ ignoresPings: true }) },
  { id: 'unauthorized', words: 'closes without a reason', fault: () => ({ closeReason: () => '' }) },
  {
    id: 'logout',
    words: 'signs out every client when one leaves',
    fault: () => ({ onClientClose: (_, all) => all.forEach(({ close }) => close(4401, 'unauthorized')) }),
  },
  {
    id: 'closes',
    also: ['echo-text'],
    words: 'closes a socket after a text',
    fault: () => ({
      toClient(frame, { close }) {
        if (isClient(objectOf(frame))) setImmediate(() => close(1012, 'maintenance'));
        return [frame];
      },
    }),
  },
];

/** Sends each frame to the clients of every account. */
const toEveryone = (
  frame: string,
  { account }: FaultyConnection,
  all: readonly FaultyConnection[],
): readonly string[] => {
  if (isClient(objectOf(frame))) for (const one of all) if (one.account !== account) one.send(frame);
  return [frame];
};

/** Faults with several clients. */
export const clientFaults: readonly SeededFault[] = [
  {
    id: 'two-clients',
    words: 'sends the person’s messages to one client only',
    fault: () => ({
      toClient: (frame, { number }) => (number === 1 && isMessage(objectOf(frame)) ? [] : [frame]),
    }),
  },
  {
    id: 'reconnect',
    words: 'forgets the newest message',
    fault: changeFrames((frame) =>
      Array.isArray(frame.messages) ? { ...frame, messages: frame.messages.slice(0, -1) } : frame,
    ),
  },
  { id: 'isolation', words: 'sends messages to every account', fault: () => ({ toClient: toEveryone }) },
  {
    id: 'invalid-frames',
    words: 'closes every socket for a wrong frame',
    fault: () => ({
      toPlatform(data, _, all) {
        if (data === '{') for (const { close } of all) close(1003, '');
        return [data];
      },
    }),
  },
  {
    id: 'large-frame',
    words: 'accepts no texts after a large frame',
    fault: dropAfterLargeFrame,
  },
];

function dropAfterLargeFrame(): Fault {
  let isFull = false;
  return {
    toPlatform(data) {
      isFull ||= data.length > 2e6;
      return isFull ? [] : [data];
    },
  };
}

/** Holds the first of three texts back until the next one. */
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

/** Lets an answer run on after the next text of the person. */
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

/** Faults of what the platform returns. */
export const echoFaults: readonly SeededFault[] = [
  { id: 'echo-text', words: 'returns no texts', fault: dropMessages(({ category }) => category === 'text') },
  { id: 'echo-image', words: 'returns images as files', fault: changeEcho('image', { category: 'file' }) },
  { id: 'echo-file', words: 'returns files without their content', fault: changeEcho('file', { blob: '' }) },
  { id: 'echo-audio', words: 'gives recordings a text', fault: changeEcho('audio', { text: 'A recording' }) },
  { id: 'long-text', words: 'drops long texts', fault: dropMessages(({ text }) => lengthOf(text) > 200) },
  {
    id: 'large-file',
    words: 'drops files over 500 kB',
    fault: dropMessages(({ blob }) => lengthOf(blob) > 600_000),
  },
  { id: 'order', words: 'returns texts in another order', fault: swapTexts },
];

const label = (text: string) => JSON.stringify({ context: text });

const said = (fields: object) =>
  JSON.stringify({
    id: randomUUID(),
    modifier: 'admin',
    content: [{ category: 'text', text: 'Said.' }],
    ...fields,
  });

/** Faults of the fields of answers (contract §9). */
const formatFaults: readonly SeededFault[] = [
  {
    id: 'format',
    also: ['answer'],
    words: 'gives an image a format',
    fault: addAfter(isAnswer, ['{"category":"image","text":"a.png","blob":"AAAA","format":"markdown"}']),
  },
  {
    id: 'growth',
    also: ['answer'],
    words: 'loses a character of an answer',
    fault: changeFrames((frame) =>
      typeof frame.text === 'string' && !('category' in frame) ? { text: frame.text.slice(1) } : frame,
    ),
  },
  {
    id: 'notices',
    also: ['answer'],
    words: 'gives a notice an unknown button',
    fault: addAfter(isAnswer, [said({ notice: true, action: 'buy' })]),
  },
  {
    id: 'dividers',
    also: ['answer'],
    words: 'sends a divider as the assistant',
    fault: addAfter(isAnswer, [said({ divider: true, modifier: 'ai' })]),
  },
  {
    id: 'times',
    also: ['echo-text'],
    words: 'gives a message its time as a number',
    fault: changeFrames((frame) => (isMessage(frame) ? { ...frame, time: 1_793_000_000_000 } : frame)),
  },
];

/** Faults of updates. */
export const updateFaults: readonly SeededFault[] = [
  {
    id: 'answer',
    words: 'sends a burst of updates',
    fault: addAfter(
      isAnswer,
      Array.from({ length: 40 }, (_, n) => label(`${n}`)),
    ),
  },
  { id: 'interrupted', words: 'lets an answer run on after the next text', fault: runOn },
  {
    id: 'unchanged',
    also: ['echo-text'],
    words: 'overwrites the person’s words',
    fault: addAfter(isClient, ['{"text":"overwritten"}']),
  },
  {
    id: 'frames',
    also: ['echo-text'],
    words: 'sends a label that is a number',
    fault: addAfter(isClient, ['{"context":5}']),
  },
  {
    id: 'targets',
    also: ['echo-text'],
    words: 'sends a label before any message',
    fault: addAfter(isSnapshot, [label('early')]),
  },
  {
    id: 'ids',
    also: ['order'],
    words: 'gives messages the same id',
    fault: changeFrames((frame) => (isMessage(frame) ? { ...frame, id: 'm1' } : frame)),
  },
  {
    id: 'modifiers',
    also: ['answer'],
    words: 'names another sender',
    fault: changeFrames((frame) => (isAnswer(frame) ? { ...frame, modifier: 'assistant' } : frame)),
  },
  {
    id: 'avatars',
    also: ['echo-text'],
    words: 'sends the address of an avatar',
    fault: changeFrames((frame) =>
      isMessage(frame) ? { ...frame, avatar: 'https://example.org/ada.png' } : frame,
    ),
  },
  {
    id: 'items',
    also: ['echo-image'],
    words: 'sends an image without its content',
    fault: changeEcho('image', { blob: null }),
  },
  ...formatFaults,
  {
    id: 'words',
    words: 'lists its words as a text',
    fault: changeFrames((frame) => (isSnapshot(frame) ? { ...frame, words: 'stop' } : frame)),
  },
];

/** A fault, or more, for each check that can fail. */
export const FAULTS: readonly SeededFault[] = [
  ...signInFaults,
  ...socketFaults,
  ...clientFaults,
  ...echoFaults,
  ...updateFaults,
];
