import { once } from 'node:events';
import { WebSocket } from 'ws';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { decodeUpdate, type Message, type Update } from '#shared/protocol/update.ts';

/** The close of a socket. */
interface Close {
  readonly code: number;
  readonly reason: string;
}

/** A client with a real socket and the app's decoder and fold. */
export interface Client {
  readonly socket: WebSocket;
  readonly closed: Promise<Close>;
  /** Returns the updates received so far, in order. */
  updates(): readonly Update[];
  /** Returns the conversation after all updates. */
  conversation(): ReturnType<typeof toSnapshot>;
  /** Returns the newest message. */
  newest(): Message | undefined;
  /** Resolves when the condition holds; checks it after each update. */
  until(condition: (client: Client) => boolean): Promise<void>;
  send(outgoing: unknown): void;
  sendText(text: string): void;
}

/** Connects; resolves when the snapshot arrives, or when the socket closes without one. */
export async function connect(platformUrl: string, account: string): Promise<Client> {
  const client = clientOf(new WebSocket(`${platformUrl}/${encodeURIComponent(account)}`));
  await Promise.race([client.until(({ updates }) => updates().length > 0), client.closed]);
  return client;
}

function clientOf(socket: WebSocket): Client {
  const updates: Update[] = [];
  let folded: Conversation = emptyConversation;
  socket.on('error', () => undefined);
  socket.on('message', (data, isBinary) => {
    const update = decodeUpdate(isBinary || !Buffer.isBuffer(data) ? null : data.toString());
    if (update.kind === 'rejected')
      throw new Error(`the platform sent a frame that is no update: ${update.where}`);
    updates.push(update);
    folded = applyUpdate(folded, update);
    socket.emit('updated');
  });
  const closed = new Promise<Close>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const client: Client = {
    socket,
    closed,
    updates: () => updates,
    conversation: () => toSnapshot(folded),
    newest: () => client.conversation().messages.at(-1),
    async until(condition) {
      while (!condition(client)) await once(socket, 'updated');
    },
    send: (outgoing) => socket.send(JSON.stringify(outgoing)),
    sendText: (text) => client.send({ category: 'text', text, blob: null }),
  };
  return client;
}
