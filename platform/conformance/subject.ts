import { toSnapshot } from '#shared/conversation/conversation.ts';
import { errorCode } from '#shared/formatText.ts';
import { SIGN_IN_TIMEOUT_MS } from '#shared/limits.ts';
import type { Credentials } from '#shared/protocol/credentials.ts';
import { type Outgoing, encodeOutgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { Clock } from '#shared/clock.ts';
import { tryParseJson } from '#shared/json.ts';
import { type ObservedSocket, observeSocket } from './observedSocket.ts';

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

/** One check of the platform. */
export interface Check {
  /** A short name, by which `--only` selects it. */
  readonly id: string;
  /** The part of the specification that it checks. */
  readonly row: string;
  /** What it checks: a sentence about the platform. */
  readonly checks: string;
  /** Whether the check is made even if no snapshot arrived on the two sockets of the account. */
  readonly runsWithoutSnapshot?: true;
  run(subject: Subject): Outcome | Promise<Outcome>;
}

/** The result of a check: the platform conforms, it does not, or the check could not be made. */
export type Outcome =
  | { readonly result: 'ok' }
  | { readonly result: 'failed'; readonly seen: string; readonly expected: string }
  | { readonly result: 'notTested'; readonly why: string };

/** The platform conforms. */
export const OK: Outcome = { result: 'ok' };

/** The platform does not conform: what was seen, and what the specification expects. */
export const failed = (seen: string, expected: string): Outcome => ({ result: 'failed', seen, expected });

/** The check could not be made, with the reason. */
export const notTested = (why: string): Outcome => ({ result: 'notTested', why });

/** The answer to a sign-in request, or the code of the error when there is none. */
export type AuthAnswer =
  | { readonly status: number; readonly body: string }
  | { readonly status: null; readonly code: string };

/** Sends `POST {api_url}/auth` with a body, as the client does: no redirect is followed, and an answer may take 15 s. */
export async function postAuth(apiUrl: string, body: string): Promise<AuthAnswer> {
  try {
    const response = await fetch(`${apiUrl}/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(SIGN_IN_TIMEOUT_MS),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const reason = cause instanceof Error ? cause.message : 'no answer';
    return { status: null, code: errorCode(cause) ?? reason };
  }
}

/** Returns whether the platform accepted the request. */
export const isAccepted = ({ status }: AuthAnswer): boolean =>
  status !== null && status >= 200 && status < 300;

/** Returns an answer in words, without its body: that may be an account identifier. */
export function describeAnswer(answer: AuthAnswer): string {
  if (answer.status === null) return `no answer (${answer.code})`;
  return `status ${answer.status}, ${answer.body.trim() === '' ? 'without a text' : 'with a text'}`;
}

/** Returns the account identifier of an accepted answer, as the client reads it: the text, or the value of a JSON string. */
export function accountOf(answer: AuthAnswer): string {
  if (answer.status === null) return '';
  const value = tryParseJson(answer.body);
  return typeof value === 'string' ? value : answer.body;
}
