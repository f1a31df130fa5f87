import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import { FILE_BYTES, TEXT_LENGTH } from '#shared/limits.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { type Outgoing, outgoingSchema } from '#shared/protocol/outgoing.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { UNAUTHORIZED } from '../accounts/conversationSockets.ts';

/** Why a message was not kept. The client does not reconnect until its user requests it: 1013 is "try again later". */
const NOT_KEPT = {
  full: {
    code: 1013,
    reason: 'The platform’s disk is full and your message was not kept. Make room, then reconnect.',
  },
  removed: {
    code: 1013,
    reason: 'The platform’s file was removed and your message was not kept. Restart the platform.',
  },
} as const;

const paramsSchema = z.object({ account: z.string() });

/** The options of `socketRoute`. */
export interface SocketOptions {
  readonly accounts: Accounts;
  readonly logger: Logger;
}

/**
 * Adds the socket `GET /<account>` (spec §4.2): it sends the conversation at once, then updates, and receives the client's
 * messages.
 */
export async function socketRoute(app: FastifyInstance, { accounts, logger }: SocketOptions): Promise<void> {
  let connections = 0;

  app.get('/:account', { websocket: true }, (socket, request) => {
    connections += 1;
    const log = logger.child({ connection: connections });
    const conversation = accounts.conversationOf(paramsSchema.parse(request.params).account);
    if (conversation === undefined) {
      log.info('a socket with an unknown account was closed');
      socket.close(UNAUTHORIZED.code, UNAUTHORIZED.reason);
      return;
    }
    const removeSocket = conversation.addSocket(socket);
    log.info('a socket opened');
    socket.on('close', (code) => {
      removeSocket();
      log.info({ code }, 'a socket closed');
    });
    socket.on('message', (data, isBinary) => {
      if (socket.readyState !== socket.OPEN) return;
      const { outgoing, fault } = isBinary || !Buffer.isBuffer(data) ? BINARY : read(data.toString());
      const refusal = accounts.refusal();
      if (outgoing !== undefined && refusal !== null) {
        log.warn({ refusal }, 'a message was refused: it cannot be kept');
        socket.close(NOT_KEPT[refusal].code, NOT_KEPT[refusal].reason);
      } else if (outgoing !== undefined) conversation.receive(outgoing);
      else log.warn({ fault }, 'a message was ignored');
    });
  });
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
