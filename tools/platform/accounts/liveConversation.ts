import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import {
  type ConnectionEffect,
  type NewId,
  type Script,
  type Step,
  replyTo,
} from '../assistant/assistant.ts';
import { conversationLog } from '../storage/conversationLog.ts';
import type { StoredConversation } from '../storage/newestMessages.ts';

/**
 * The running conversation of one account.
 *
 *   silent ──receive: the person's message, then the first step──▶ answering
 *   answering ──each step, when it falls due──▶ answering
 *   answering ──after the last step──▶ silent
 *   answering ──receive or finishAnswer: the remaining steps, at once──▶ silent
 *
 * There is one answer at a time, because context, content and text updates change the newest message (spec §6.1): a message
 * in between would receive the updates of the one before it.
 */
export interface LiveConversation {
  /** Sends the conversation to the socket, then every update. Returns a function that removes the socket. */
  addSocket(socket: ConversationSocket): () => void;
  /** Returns the person's message to every socket and answers it. */
  receive(outgoing: Outgoing): void;
  /** Sends the remaining steps of an answer at once. */
  finishAnswer(): void;
  /** Drops the remaining steps of an answer and signs every socket out, because the account is deleted. */
  close(): void;
  /** Returns the conversation as it is sent and stored. */
  stored(): StoredConversation;
}

/** The part of a WebSocket that a conversation uses. */
export interface ConversationSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

interface LiveConversationOptions {
  readonly conversation: StoredConversation;
  readonly clock: Clock;
  readonly newId: NewId;
  /**
   * Calls `committed` when the frame is on the disk, in the order of the calls; `null` waits for the earlier frames. A frame
   * is not sent before it is on the disk.
   */
  readonly commit: (frame: string | null, committed: () => void) => void;
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

/** Creates the live conversation of an account. */
export function createLiveConversation({
  conversation: stored,
  clock,
  newId,
  commit,
}: LiveConversationOptions): LiveConversation {
  const sockets = new Set<ConversationSocket>();
  const log = conversationLog(stored);

  const broadcast = (frame: object) => {
    const text = JSON.stringify(frame);
    log.add(text);
    // Sockets that are added later receive this frame with the conversation.
    const current = [...sockets];
    commit(text, () => current.forEach((socket) => sockets.has(socket) && socket.send(text)));
  };
  const take = (step: Step) => {
    if ('frame' in step) broadcast(step.frame);
    else commit(null, () => sockets.forEach(EFFECTS[step.effect]));
  };
  const answer = createAnswer(clock, take);

  return {
    addSocket(socket) {
      // The text is created when it is sent: many sockets can wait while the disk is full.
      const conversation = log.conversation();
      sockets.add(socket);
      commit(null, () => void (sockets.has(socket) && socket.send(JSON.stringify(conversation))));
      return () => void sockets.delete(socket);
    },
    receive(outgoing) {
      answer.finish();
      broadcast(asMessage(outgoing, log.person(), newId()));
      answer.start(replyTo(outgoing, newId));
    },
    finishAnswer: answer.finish,
    close() {
      answer.drop();
      for (const socket of sockets) EFFECTS.signOut(socket);
      sockets.clear();
    },
    stored: log.conversation,
  };
}

/** Takes the steps of one answer, each when it is due. */
function createAnswer(clock: Clock, take: (step: Step) => void) {
  let steps: Step[] = [];
  let cancel: Cancel | undefined;

  const takeNext = () => {
    const [step] = steps;
    if (step === undefined) return;
    cancel = clock.after(step.afterMs, () => {
      // Also takes the following steps without a pause: thousands of timers would only delay them.
      const wait = steps.findIndex(({ afterMs }, index) => index > 0 && afterMs > 0);
      for (const due of steps.splice(0, wait === -1 ? steps.length : wait)) take(due);
      takeNext();
    });
  };
  return {
    start(script: Script): void {
      steps = [...script];
      takeNext();
    },
    /** Takes the remaining steps at once. */
    finish(): void {
      cancel?.();
      for (const step of steps.splice(0)) take(step);
    },
    /** Discards the remaining steps. */
    drop(): void {
      cancel?.();
      steps = [];
    },
  };
}

/** Returns the person's message as the platform sends it back (spec §2.5). */
const asMessage = ({ category, text, blob }: Outgoing, person: string, id: string): Message => ({
  id,
  modifier: 'client',
  content: [{ category, text, html: null, blob }],
  context: person,
  avatar: '',
  seen: true,
});
