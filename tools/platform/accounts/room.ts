import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import { type Deed, type NewId, type Step, replyTo } from '../assistant/assistant.ts';
import { conversationLog } from '../storage/conversationLog.ts';
import type { StoredConversation } from '../storage/newestMessages.ts';

/**
 * The conversation of one account, while the platform runs.
 *
 *   silent ──hear: the person's message, then the first step──▶ answering
 *   answering ──each step, when it falls due──▶ answering
 *   answering ──after the last step──▶ silent
 *   answering ──hear or finish: what is left, at once──▶ silent, and on as above
 *
 * One answer at a time, for context, content and text updates go to the newest message (spec §6.1): a message that
 * came between would take what was meant for the one before it.
 */
export interface Room {
  /** Gives the socket the conversation as it stands, and every update from here on. Returns the way out. */
  enter(socket: RoomSocket): () => void;
  /** Returns the person's message to every socket and answers it. */
  hear(outgoing: Outgoing): void;
  /** Says at once what is left of an answer. */
  finish(): void;
  /** Drops what is left of an answer and signs every socket out: the account is deleted. */
  close(): void;
  /** The conversation, as sent and as stored. */
  conversation(): StoredConversation;
}

/** The part of a WebSocket that a room uses. */
export interface RoomSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

export interface RoomOptions {
  readonly conversation: StoredConversation;
  readonly clock: Clock;
  readonly newId: NewId;
  /**
   * Calls `committed` when the frame is on the disk, in the order of the calls; `null` waits for the frames before. Nothing
   * is sent before it is on the disk.
   */
  readonly commit: (frame: string | null, committed: () => void) => void;
}

/** The reason by which a client signs out (spec §3.1). */
export const UNAUTHORIZED = { code: 4401, reason: 'unauthorized' } as const;
/** Another reason: the client stays away until it is told to reconnect. 1012 is "service restart". */
const MAINTENANCE = { code: 1012, reason: 'maintenance' } as const;

const DEEDS: Readonly<Record<Deed, (socket: RoomSocket) => void>> = {
  drop: (socket) => socket.terminate(),
  close: (socket) => socket.close(MAINTENANCE.code, MAINTENANCE.reason),
  signOut: (socket) => socket.close(UNAUTHORIZED.code, UNAUTHORIZED.reason),
};

export function createRoom({ conversation: stored, clock, newId, commit }: RoomOptions): Room {
  const sockets = new Set<RoomSocket>();
  const log = conversationLog(stored);
  let left: Step[] = [];
  let cancel: Cancel | undefined;

  const say = (frame: object) => {
    const text = JSON.stringify(frame);
    log.add(text);
    // Who enters later gets this frame with the conversation.
    const present = [...sockets];
    commit(text, () => present.forEach((socket) => sockets.has(socket) && socket.send(text)));
  };
  const take = (step: Step) => {
    if ('frame' in step) say(step.frame);
    else commit(null, () => sockets.forEach(DEEDS[step.deed]));
  };
  const takeNext = () => {
    const [step] = left;
    if (step === undefined) return;
    cancel = clock.after(step.afterMs, () => {
      // With it all that follow without a pause: thousands of timers would say the same later.
      const wait = left.findIndex(({ afterMs }, index) => index > 0 && afterMs > 0);
      for (const due of left.splice(0, wait === -1 ? left.length : wait)) take(due);
      takeNext();
    });
  };
  const finish = () => {
    cancel?.();
    for (const step of left.splice(0)) take(step);
  };

  return {
    enter(socket) {
      // Its text is made when it is sent: while the disk is full, many sockets can wait.
      const conversation = log.conversation();
      sockets.add(socket);
      commit(null, () => void (sockets.has(socket) && socket.send(JSON.stringify(conversation))));
      return () => void sockets.delete(socket);
    },
    hear(outgoing) {
      finish();
      say(asMessage(outgoing, log.person(), newId()));
      left = [...replyTo(outgoing, newId)];
      takeNext();
    },
    finish,
    close() {
      cancel?.();
      left = [];
      for (const socket of sockets) DEEDS.signOut(socket);
      sockets.clear();
    },
    conversation: log.conversation,
  };
}

/** The person's message as the platform returns it (spec §2.5). */
const asMessage = ({ category, text, blob }: Outgoing, person: string, id: string): Message => ({
  id,
  modifier: 'client',
  content: [{ category, text, html: null, blob }],
  context: person,
  avatar: '',
  seen: true,
});
