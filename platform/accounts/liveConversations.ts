import type { Clock } from '#shared/clock.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { Assistants, NewId } from '../assistant/assistant.ts';
import type { StoredAccount } from '../storage/accountRows.ts';
import type { PlatformStore } from '../storage/platformStore.ts';
import type { Commit } from './conversationSockets.ts';
import type { StoredConversation } from '../storage/conversationLog.ts';
import { notice, timed } from '../assistant/markedMessage.ts';
import { type LiveConversation, createLiveConversation } from './liveConversation.ts';

/** A conversation without a client stays in memory for this time after its last update, in milliseconds. */
const UNUSED_MS = 600_000;

interface LiveConversationsOptions {
  readonly store: PlatformStore;
  readonly assistants: Assistants;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The conversations that are in use. Each is loaded when it is first needed. */
export interface LiveConversations {
  /** Returns the conversation of the account with this identifier; `undefined` when there is none, or it was revoked. */
  conversationOf(id: string): LiveConversation | undefined;
  /** Ends every running answer. */
  finish(): void;
  /** Signs an account's sockets out at once, because it was revoked. */
  close(id: string): void;
  /** Signs every socket out, because the accounts are deleted. */
  closeAll(): void;
}

interface Live {
  readonly account: StoredAccount;
  readonly conversation: LiveConversation;
  usedAt: number;
}

/** Creates the conversations of the stored accounts. */
export function createLiveConversations(options: LiveConversationsOptions): LiveConversations {
  const { store, clock } = options;
  /** By the account's identifier. */
  const lives = new Map<string, Live>();

  const open = (id: string): Live | undefined => {
    const account = store.account('id', id);
    if (account === undefined || account.revokedAt !== null) return undefined;
    const onUse = () => void (live.usedAt = clock.now());
    const live: Live = { account, conversation: create(options, account, onUse), usedAt: clock.now() };
    lives.set(id, live);
    return live;
  };

  const isUnused = ({ conversation, usedAt }: Live) =>
    !conversation.hasSockets() && clock.now() - usedAt > UNUSED_MS;

  const dropUnused = () => {
    for (const [id, live] of lives) {
      if (!isUnused(live)) continue;
      live.conversation.finishAnswer();
      if (store.forget(live.account)) lives.delete(id);
    }
  };

  return {
    conversationOf(id) {
      dropUnused();
      const live = lives.get(id) ?? open(id);
      if (live === undefined) return undefined;
      live.usedAt = clock.now();
      return live.conversation;
    },
    finish() {
      for (const { conversation } of lives.values()) conversation.finishAnswer();
    },
    close(id) {
      const live = lives.get(id);
      if (live === undefined) return;
      live.conversation.close();
      lives.delete(id);
      store.forget(live.account);
    },
    closeAll() {
      for (const { conversation } of lives.values()) conversation.close();
      lives.clear();
    },
  };
}

/** Loads a conversation. It stores its frames, and reports each use. */
function create(
  { store, assistants, clock, newId }: LiveConversationsOptions,
  account: StoredAccount,
  onUse: () => void,
): LiveConversation {
  const commit: Commit = (frame, committed) => {
    onUse();
    if (frame === null) store.afterCommit(committed);
    else store.append(account, frame, committed);
  };
  const live = createLiveConversation({
    conversation: store.conversation(account),
    assistant: assistants.create(),
    newId,
    commit,
    clock,
    now: store.now,
  });
  return {
    ...live,
    addSocket(socket) {
      if (store.isFailing)
        socket.send(withNotice(store.conversation(account), timed(notice(newId, NOT_STORED), store.now)));
      return live.addSocket(socket);
    },
  };
}

const NOT_STORED =
  'Messages cannot be stored now: the disk is full or cannot be written. What you send appears when there is room again.';

/** Returns a stored conversation with a notice that is not stored: a client need not wait for a disk that cannot be written. */
const withNotice = ({ person, messages }: StoredConversation, said: Message): string =>
  JSON.stringify({ person, messages: [...messages, said] });
