import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { FILE_BYTES, TEXT_LENGTH } from '#shared/limits.ts';
import { pluralize } from '#shared/formatText.ts';
import { type Outgoing, outgoingSchema } from '#shared/protocol/outgoing.ts';
import type { Clock } from '#shared/clock.ts';
import { tryParseJson } from '#shared/json.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { type ConversationSocket, UNAUTHORIZED } from '../accounts/conversationSockets.ts';
import type { LiveConversation } from '../accounts/liveConversation.ts';
import type { HostSessions } from '../hostSignIn/hostSessions.ts';
import type { PlatformMetrics } from './platformMetrics.ts';
import { DamagedFileError } from '../storage/platformFile.ts';
import { type PlatformLimits, createRateLimit } from './platformLimits.ts';

/** "Try again later": the client does not reconnect until its user requests it. */
const TRY_LATER = 1013;

/** Why a message was not kept. */
const NOT_KEPT = {
  full: {
    code: TRY_LATER,
    reason: 'The platform’s disk is full and your message was not kept. Make room, then reconnect.',
  },
  removed: {
    code: TRY_LATER,
    reason: 'The platform’s file was removed and your message was not kept. Restart the platform.',
  },
} as const;

/** The close of a client whose person logs out (spec §3.1). */
const LOGOUT = { code: 1000, reason: 'logout' } as const;
/** A socket that sends on after this number of refused messages in a row is closed: each refusal is stored. */
const REFUSALS = 5;

const paramsSchema = z.object({ account: z.string() });

const identifierOf = ({ params }: FastifyRequest) => paramsSchema.parse(params).account;

/** The options of `socketRoute`. */
interface SocketOptions {
  readonly accounts: Accounts;
  /** The sign-ins of the users of this machine, if they replace the platform's own accounts. */
  readonly sessions?: HostSessions | undefined;
  readonly limits: PlatformLimits;
  /** The clock of the limit of messages. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: PlatformMetrics;
}

/**
 * Adds the socket `GET /<account>` (spec §4.2): it sends the conversation at once, then updates, and receives the client's
 * messages.
 */
export async function socketRoute(app: FastifyInstance, options: SocketOptions): Promise<void> {
  const { sessions, logger, metrics } = options;
  const refuse = createRefuseMessage(options.limits, options.clock);
  let connections = 0;

  // Before the upgrade: a message that arrives right after it has its listener.
  const preValidation = async (request: FastifyRequest) => sessions?.confirm(identifierOf(request));
  const open = (socket: WebSocket, request: FastifyRequest) => {
    connections += 1;
    const log = logger.child({ connection: connections });
    const { accountId, conversation, session } = find(options, identifierOf(request));
    if (conversation === undefined) {
      log.info('a socket with an unknown account was closed');
      socket.close(UNAUTHORIZED.code, UNAUTHORIZED.reason);
      return;
    }
    const removeSocket = conversation.addSocket(countFrames(socket, metrics));
    const removeFromSession = session?.addSocket(socket);
    metrics.socketOpened();
    log.info('a socket opened');
    socket.on('close', (code, reason) => {
      removeSocket();
      removeFromSession?.();
      metrics.socketClosed();
      log.info({ code }, 'a socket closed');
      if (code === LOGOUT.code && reason.toString() === LOGOUT.reason) void session?.logOut();
    });
    const receive = createReceive(options, { accountId, socket, conversation, refuse, log });
    socket.on('message', (data, isBinary) => {
      if (socket.readyState !== socket.OPEN) return;
      const isText = !isBinary && Buffer.isBuffer(data);
      closeOnDamage(socket, () => receive(isText ? read(data.toString()) : BINARY, isText ? data.length : 0));
    });
  };
  app.get('/:account', { websocket: true, preValidation }, (socket, request) =>
    closeOnDamage(socket, () => open(socket, request)),
  );
}

/** Closes the socket with the reason when the platform's file is damaged. */
function closeOnDamage(socket: Pick<ConversationSocket, 'close'>, task: () => void): void {
  try {
    task();
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    socket.close(TRY_LATER, error.message);
  }
}

/** Returns the conversation of an identifier, and the session if it is one of a user of this machine. */
function find({ accounts, sessions }: SocketOptions, identifier: string) {
  if (sessions === undefined)
    return { accountId: identifier, conversation: accounts.conversationOf(identifier) };
  const session = sessions.find(identifier);
  const accountId = session?.accountId ?? identifier;
  return { accountId, session, conversation: session && accounts.conversationOf(accountId) };
}

/** Returns the socket as the conversation uses it: each frame that is sent is counted. */
const countFrames = (socket: ConversationSocket, metrics: PlatformMetrics): ConversationSocket => ({
  send(frame) {
    metrics.frameSent(frame);
    socket.send(frame);
  },
  close: (code, reason) => socket.close(code, reason),
  terminate: () => socket.terminate(),
});

/** What a frame of a client is used with. */
interface Receiver {
  readonly accountId: string;
  readonly socket: Pick<ConversationSocket, 'close'>;
  readonly conversation: Pick<LiveConversation, 'receive' | 'announce'>;
  readonly refuse: ReturnType<typeof createRefuseMessage>;
  readonly log: Logger;
}

/** Returns the function that passes a message to the conversation, or refuses it in words. */
function createReceive({ accounts, metrics }: SocketOptions, receiver: Receiver) {
  const { accountId, socket, conversation, refuse, log } = receiver;
  let refusals = 0;
  return ({ outgoing, fault }: Reading, bytes: number): void => {
    const unkept = accounts.refusal();
    if (outgoing === undefined) {
      metrics.messageIgnored(fault);
      log.warn({ fault }, 'a message was ignored');
      return;
    }
    if (unkept !== null) {
      metrics.messageIgnored(unkept);
      log.warn({ refusal: unkept }, 'a message was refused: it cannot be kept');
      socket.close(NOT_KEPT[unkept].code, NOT_KEPT[unkept].reason);
      return;
    }
    const refusal = refuse({ account: accountId, outgoing, bytes });
    refusals = refusal === null ? 0 : refusals + 1;
    if (refusal === null) {
      metrics.messageReceived(outgoing.category);
      conversation.receive(outgoing);
      return;
    }
    metrics.messageIgnored('limit');
    log.warn({ refusals, bytes }, 'a message was refused: it exceeds a limit');
    if (refusals > REFUSALS) socket.close(TRY_LATER, refusal.reason);
    else conversation.announce(refusal.words);
  };
}

type Reading =
  | { readonly outgoing: Outgoing; readonly fault?: never }
  | { readonly outgoing?: never; readonly fault: string };

const BINARY: Reading = { fault: 'binary' };

/** Reads a frame's text as a message; the fault never contains the text. */
function read(text: string): Reading {
  const result = outgoingSchema.safeParse(tryParseJson(text));
  if (!result.success) return { fault: 'malformed' };
  const { data: outgoing } = result;
  if (outgoing.category === 'text' && outgoing.text.length >= TEXT_LENGTH) return { fault: 'text too long' };
  if (Buffer.byteLength(outgoing.blob ?? '', 'base64') >= FILE_BYTES) return { fault: 'file too large' };
  return { outgoing };
}

/** A message as it arrived. */
interface Arrived {
  readonly account: string;
  readonly outgoing: Outgoing;
  /** Size of its frame. */
  readonly bytes: number;
}

/** Why a message is refused. */
interface Refusal {
  /** For the conversation: it contains the refused text, so that the person can send it again. */
  readonly words: string;
  /** For the close of a socket that continues to send: at most 123 bytes. */
  readonly reason: string;
}

/** Creates the check of the limits of messages: returns why a message is refused, or `null`, which counts it. */
function createRefuseMessage(
  { messagesPerMinute, messageBytes }: PlatformLimits,
  clock: Clock,
): (arrived: Arrived) => Refusal | null {
  const limit = createRateLimit(clock, { max: messagesPerMinute, windowMs: 60_000 });
  return ({ account, outgoing, bytes }) => {
    if (bytes > messageBytes) {
      const reason = `A message has at most ${messageBytes} bytes here, and yours had ${bytes}. It was not kept.`;
      return { reason, words: `${reason} Send a smaller one. ${quote(outgoing)}` };
    }
    const waitMs = limit.take(account);
    if (waitMs === 0) return null;
    const most = `You can send ${pluralize(messagesPerMinute, 'message')} a minute`;
    const later = `Try again in ${pluralize(Math.ceil(waitMs / 1000), 'second')}.`;
    const reason = `${most}, and this one was not kept. ${later}`;
    return { reason, words: `${reason} ${quote(outgoing)}` };
  };
}

/** Returns the refused text, or the name of the refused file. */
const quote = ({ category, text }: Outgoing): string => {
  if (category === 'text') return `You wrote: ${text}`;
  return text === null ? 'It was a voice message.' : `It was the file ${text}.`;
};
