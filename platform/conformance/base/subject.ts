import { toSnapshot } from '#shared/conversation/conversation.ts';
import type { Credentials } from '#shared/protocol/credentials.ts';
import { type Outgoing, encodeOutgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { Clock } from '#shared/time/clock.ts';
import { type ObservedSocket, observeSocket } from './observedSocket.ts';
import { type AuthAnswer, postAuth } from './postAuth.ts';

/** The addresses and the waits of a test. */
export interface SubjectOptions {
  readonly apiUrl: string;
  readonly platformUrl: string;
  readonly clock: Clock;
  /** The longest wait for anything. */
  readonly timeoutMs: number;
  /** An answer has ended when no frame came for this time. */
  readonly quietMs: number;
  /** Texts to send besides the suite's own. */
  readonly say: readonly string[];
}

/** The tested platform, with the account of the test and two sockets of it. */
export interface Subject extends SubjectOptions {
  /** The credentials of a login. */
  readonly credentials: Credentials;
  /** The name with which the account was registered; `null` for an account that existed before. */
  readonly registeredName: string | null;
  readonly account: string;
  /** Two clients of the account. */
  readonly first: ObservedSocket;
  readonly second: ObservedSocket;
  /** Every socket to the account that was opened so far. */
  readonly sockets: readonly ObservedSocket[];
  post(fields: unknown): Promise<AuthAnswer>;
  /** Registers another account and opens a socket of it; resolves to `null` when the test does not register, or is refused. */
  openOther(): Promise<ObservedSocket | null>;
  /** Opens another socket of the account, or of the given one; resolves with its first frame, its close, or after the longest wait. */
  open(account?: string): Promise<ObservedSocket>;
}

/** Returns the functions of a subject that need only its addresses. `sockets` receives what is opened. */
export function openerOf(options: SubjectOptions, sockets: ObservedSocket[]) {
  const { apiUrl, platformUrl, clock, timeoutMs } = options;
  return {
    post: (fields: unknown) => postAuth(apiUrl, typeof fields === 'string' ? fields : JSON.stringify(fields)),
    async open(account: string): Promise<ObservedSocket> {
      const url = `${platformUrl}/${encodeURIComponent(account)}`;
      const socket = observeSocket({ url, clock, timeoutMs });
      sockets.push(socket);
      await socket.until(() => socket.frames.length > 0);
      return socket;
    },
  };
}

/** Sends an outgoing message (spec §2.3). */
export const sendMessage = (socket: ObservedSocket, outgoing: Outgoing): void =>
  socket.send(encodeOutgoing(outgoing));

/** Sends a text. */
export const sendText = (socket: ObservedSocket, text: string): void =>
  sendMessage(socket, { category: 'text', text, blob: null });

/** Returns the messages of the person that a socket has received as updates, in order. */
export const echoes = ({ frames }: ObservedSocket): readonly Message[] =>
  frames.flatMap(({ update }) =>
    update.kind === 'message' && update.frame.modifier === 'client' ? [update.frame] : [],
  );

/** Returns the position of the message with this text among {@link echoes}, or −1. */
export const findEcho = (socket: ObservedSocket, text: string): number =>
  echoes(socket).findIndex(({ content = [] }) => content.length === 1 && content[0]?.text === text);

/** Returns the conversation that a client with this socket shows. */
export const shown = ({ frames }: ObservedSocket) => {
  const conversation = frames.at(-1)?.conversation;
  return conversation === undefined ? { person: null, messages: [] } : toSnapshot(conversation);
};

/** The longest wait for the end of an answer. */
const ANSWER_MS = 60_000;

/** Resolves when no frame came for the time after which an answer counts as ended, at the latest after a minute. */
export async function untilQuiet({ first, clock, quietMs }: Subject): Promise<void> {
  const end = clock.now() + ANSWER_MS;
  let count: number;
  do {
    count = first.frames.length;
    await new Promise<void>((resolve) => void clock.after(quietMs, resolve));
  } while (first.frames.length > count && clock.now() < end);
}
