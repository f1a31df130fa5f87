import { tryParseJson, type JsonObject, isJsonObject } from '#shared/json.ts';
import type { Fault, SignInAnswer } from './startFaultyPlatform.ts';

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
