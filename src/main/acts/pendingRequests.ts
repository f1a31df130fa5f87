import type { Action } from '@reduxjs/toolkit';
import type { AssistantChange } from '#shared/ipc/assistant.ts';
import type { Credentials } from '#shared/protocol/credentials.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';

/** Keeps what the effects of one kind of act need and no action may contain. An act has the number of its request in its `meta`. */
export interface Requests<T> {
  /** Keeps the contents of an act that is about to be dispatched; returns the number for its `meta`. */
  add(contents: T): number;
  /** Returns the contents of a dispatched act, once. */
  take(act: Action): T | undefined;
}

/** The credentials of a sign-in, and the function that answers it: the error text, or `undefined` on success. */
interface SignInRequest {
  readonly credentials: Credentials;
  readonly answer: (error: Promise<string | undefined>) => void;
}

/** The bytes of an `encode` request, and the function that answers it. */
interface EncodingRequest {
  readonly bytes: ArrayBuffer;
  readonly answer: (base64: string) => void;
}

/** What acts need and no log may contain: credentials, contents of messages, settings of the assistant, answers. */
export interface PendingRequests {
  readonly signIns: Requests<SignInRequest>;
  readonly messages: Requests<Outgoing>;
  readonly encodings: Requests<EncodingRequest>;
  /** Settings to test; `null`: those in use. */
  readonly assistantTests: Requests<AssistantChange | null>;
  /** Settings to store; `null`: the demonstration. */
  readonly assistantSaves: Requests<AssistantChange | null>;
}

/** Creates the requests, none of which is pending. */
export const createPendingRequests = (): PendingRequests => ({
  signIns: createRequests(),
  messages: createRequests(),
  encodings: createRequests(),
  assistantTests: createRequests(),
  assistantSaves: createRequests(),
});

function createRequests<T>(): Requests<T> {
  const pending = new Map<number, T>();
  let lastNumber = 0;
  return {
    add(contents) {
      lastNumber += 1;
      pending.set(lastNumber, contents);
      return lastNumber;
    },
    take(act) {
      const number = requestNumber(act);
      if (number === undefined) return undefined;
      const contents = pending.get(number);
      pending.delete(number);
      return contents;
    },
  };
}

function requestNumber(act: Action): number | undefined {
  if (!('meta' in act) || typeof act.meta !== 'object' || act.meta === null) return undefined;
  if (!('request' in act.meta) || typeof act.meta.request !== 'number') return undefined;
  return act.meta.request;
}
