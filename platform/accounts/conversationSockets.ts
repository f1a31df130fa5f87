import type { ConnectionEffect } from '../assistant/assistant.ts';
import type { StoredConversation } from '../storage/conversationLog.ts';

/** The part of a WebSocket that a conversation uses. */
export interface ConversationSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

/**
 * Calls `committed` when the frame is on the disk, in the order of the calls; `null` waits for the earlier frames. A frame
 * is not sent before it is on the disk.
 */
export type Commit = (frame: string | null, committed: () => void) => void;

/** The words that a client may offer as buttons. */
type Words = readonly string[];

/** The sockets of one account: each receives the same frames. */
interface ConversationSockets {
  /** Adds a socket, or sends one that was added the conversation again. */
  sendSnapshot(socket: ConversationSocket, conversation: StoredConversation, words: Words): void;
  /** Returns the sockets that know other words. */
  withoutWords(words: Words): readonly ConversationSocket[];
  /** Stores a frame and then sends it to the sockets of now: later ones receive it with the conversation. */
  broadcast(frame: string): void;
  /** Stores the newest message again, which was replaced, and then sends the conversation to the sockets of now. */
  broadcastSnapshot(conversation: StoredConversation, words: Words): void;
  affect(effect: ConnectionEffect): void;
  remove(socket: ConversationSocket): void;
  isEmpty(): boolean;
  /** Signs every socket out. */
  signOut(): void;
}

/** The reason by which a client signs out (spec §3.1). */
export const UNAUTHORIZED = { code: 4401, reason: 'unauthorized' } as const;
/** With another reason, the client does not reconnect by itself. 1012 is "service restart". */
const MAINTENANCE = { code: 1012, reason: 'maintenance' } as const;

const EFFECTS: Readonly<Record<ConnectionEffect, (socket: ConversationSocket) => void>> = {
  drop: (socket) => socket.terminate(),
  close: (socket) => socket.close(MAINTENANCE.code, MAINTENANCE.reason),
  signOut: (socket) => socket.close(UNAUTHORIZED.code, UNAUTHORIZED.reason),
};

/** Creates the sockets of one account: none at first. */
export function createConversationSockets(commit: Commit): ConversationSockets {
  const sockets = new Map<ConversationSocket, Words>();
  const sendTo = (receivers: readonly ConversationSocket[], frame: string) => {
    for (const socket of receivers) if (sockets.has(socket)) socket.send(frame);
  };
  return {
    sendSnapshot(socket, conversation, words) {
      sockets.set(socket, words);
      // The text is created when it is sent: many sockets can wait while the disk is full.
      commit(null, () => void (sockets.has(socket) && socket.send(toFrame(conversation, words))));
    },
    withoutWords: (words) =>
      [...sockets].filter(([, known]) => known.join() !== words.join()).map(([socket]) => socket),
    broadcast(frame) {
      const current = [...sockets.keys()];
      commit(frame, () => sendTo(current, frame));
    },
    broadcastSnapshot(conversation, words) {
      const current = [...sockets.keys()];
      for (const socket of current) sockets.set(socket, words);
      // To the store, a snapshot of the newest message changes that one only.
      const { person, messages } = conversation;
      const stored = toFrame({ person, messages: messages.slice(-1) }, []);
      commit(stored, () => sendTo(current, toFrame(conversation, words)));
    },
    affect: (effect) => commit(null, () => [...sockets.keys()].forEach(EFFECTS[effect])),
    remove: (socket) => void sockets.delete(socket),
    isEmpty: () => sockets.size === 0,
    signOut() {
      for (const socket of sockets.keys()) EFFECTS.signOut(socket);
      sockets.clear();
    },
  };
}

/** Returns the snapshot (spec §2.6) as it is sent. `words` is a field of our own, which is not stored. */
const toFrame = (conversation: StoredConversation, words: Words) =>
  JSON.stringify(words.length === 0 ? conversation : { ...conversation, words });
