import type { Cancel, Clock } from '#shared/clock.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { AnswerPlace, Assistant, EndCause, NewId } from '../assistant/assistant.ts';
import {
  type MarkedMessage,
  cutLabel,
  cutOffNotice,
  isAnswer,
  nameInLabel,
  notice,
  saysItRuns,
  timed,
  unansweredNotice,
} from '../assistant/markedMessage.ts';
import { findQuestion } from '../assistant/readQuestion.ts';
import { type StoredConversation, conversationLog } from '../storage/conversationLog.ts';
import { type Commit, type ConversationSocket, createConversationSockets } from './conversationSockets.ts';

/**
 * The running conversation of one account.
 *
 *   silent ──receive: the person's message, then the assistant's answer──▶ answering
 *   answering ──each update of the answer──▶ answering
 *   silent, answering ──receive: a word of control that has been done already──▶ unchanged
 *   answering ──receive or finishAnswer: the assistant ends its answer at once──▶ silent
 *   answering ──receive, when an update may still wait at the client: the answer ends, and the message follows a tick later──▶ silent ──▶ answering
 *
 * There is one answer at a time, because context, content and text updates change the newest message (spec §6.1): a message
 * in between would receive the updates of the one before it. So an answer that has been ended can send nothing more, whatever
 * its assistant does.
 */
export interface LiveConversation {
  /** Sends the conversation to the socket, then every update. Returns a function that removes the socket. */
  addSocket(socket: ConversationSocket): () => void;
  /** Returns the person's message to every socket, and lets the assistant answer it. A word of control only acts (contract §9). */
  receive(outgoing: Outgoing): void;
  /** Ends a running answer and adds a message of the platform itself, such as why a message was refused. */
  announce(words: string): void;
  /** Ends a running answer at once, because the platform stops. */
  finishAnswer(): void;
  /** Drops a running answer and signs every socket out, because the account is deleted. */
  close(): void;
  hasSockets(): boolean;
  /** Returns the conversation as it is sent and stored. */
  stored(): StoredConversation;
}

interface LiveConversationOptions {
  readonly conversation: StoredConversation;
  readonly assistant: Assistant;
  readonly newId: NewId;
  readonly commit: Commit;
  readonly clock: Clock;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
}

/** Creates the live conversation of an account. */
export function createLiveConversation(options: LiveConversationOptions): LiveConversation {
  const { assistant, clock, newId } = options;
  const sockets = createConversationSockets(options.commit);
  const log = conversationLog(options.conversation);
  let place: Place | null = null;
  const afterEnd = createDelay(clock);
  /** The id of the question that the next message replaces. */
  let edited: string | undefined;
  const output = createOutput({ ...options, sockets, log, onSend: afterEnd.count });
  const sendSnapshot = (socket: ConversationSocket) =>
    sockets.sendSnapshot(socket, log.conversation(), assistant.words);
  const mendEnd = once(() => endKilled(newId, output));
  const endAnswer = (cause: EndCause) => {
    afterEnd.runNow();
    assistant.end(cause);
    place?.close();
  };
  const openPlace = () => (place = createPlace(output));
  const ask = (outgoing: Outgoing) => {
    const answerPlace = openPlace();
    output.send({ ...asMessage(outgoing, log.person(), newId()), replaces: edited });
    edited = undefined;
    assistant.answer(outgoing, answerPlace);
  };

  return {
    addSocket(socket) {
      mendEnd();
      sendSnapshot(socket);
      return () => sockets.remove(socket);
    },
    receive(outgoing) {
      mendEnd();
      afterEnd.runNow();
      const word = outgoing.category === 'text' ? assistant.readWord(outgoing.text, output.messages()) : null;
      if (word === 'nothing') return;
      const run = afterEnd.watch();
      endAnswer('question');
      // The assistant's words change with its settings.
      sockets.withoutWords(assistant.words).forEach(sendSnapshot);
      if (word !== null) {
        edited = word === 'edit' ? findQuestion(output.messages())?.messages.at(-1)?.id : undefined;
        assistant.obey(word, openPlace());
      } else run(() => ask(outgoing));
    },
    announce(words) {
      endAnswer('question');
      output.send(notice(newId, words));
    },
    finishAnswer: () => endAnswer('shutdown'),
    close() {
      afterEnd.drop();
      place?.close();
      assistant.drop();
      sockets.signOut();
    },
    hasSockets: () => !sockets.isEmpty(),
    stored: log.conversation,
  };
}

interface OutputOptions extends Pick<LiveConversationOptions, 'assistant' | 'now'> {
  readonly sockets: ReturnType<typeof createConversationSockets>;
  readonly log: ReturnType<typeof conversationLog>;
  readonly onSend: () => void;
}

/** Creates what stores updates and sends them to every client. */
function createOutput({ assistant, now, sockets, log, onSend }: OutputOptions): AnswerPlace {
  const messages = () => log.conversation().messages;
  return {
    messages,
    affect: sockets.affect,
    send(frame) {
      const text = JSON.stringify('modifier' in frame ? timed(frame, now) : frame);
      log.add(text);
      sockets.broadcast(text);
      onSend();
    },
    /** The same message again keeps its time. */
    replace(message) {
      const before = messages().at(-1);
      const after = before?.id === message.id ? { ...before, ...message } : timed(message, now);
      sockets.broadcastSnapshot(log.replaceNewest(after), assistant.words);
    },
  };
}

/** Ends an answer that ran when the platform was killed: its label still says so, it had no words yet, or a notice counts down in its place. */
function endKilled(newId: NewId, { send, replace, messages }: Omit<AnswerPlace, 'affect'>): void {
  const newest: MarkedMessage | undefined = messages().at(-1);
  if (newest?.action === 'cancel') replace(cutOffNotice(newId));
  else if (newest?.modifier !== 'ai' || !saysItRuns(newest.context)) {
    const unanswered = unansweredNotice(newId, messages());
    if (unanswered !== null) send(unanswered);
  } else if (isAnswer(newest) && isEmpty(newest)) replace(cutOffNotice(newId));
  else send({ context: cutLabel(nameInLabel(newest.context)) });
}

/** Returns whether a message shows nothing. */
const isEmpty = ({ content = [] }: Message): boolean =>
  content.every(({ category, text }) => category === 'text' && (text ?? '') === '');

/** Delays one task by a tick of the client, when otherwise more than three updates could wait there: one already, two that ended an answer, and the task's. */
function createDelay(clock: Clock) {
  let waiting: { readonly task: () => void; readonly cancel: Cancel } | undefined;
  let sent = 0;
  let sentAt = -Infinity;
  const drop = () => {
    waiting?.cancel();
    waiting = undefined;
  };
  const runNow = () => {
    const task = waiting?.task;
    drop();
    task?.();
  };
  return {
    /** Counts an update that is sent. */
    count() {
      sent++;
      sentAt = clock.now();
    },
    /** Returns a function that runs a task, now or later: it depends on the updates from now on, and the one before. */
    watch() {
      const [before, mayWait] = [sent, clock.now() - sentAt < QUEUE_TICK_MS];
      return (task: () => void) => {
        if (!mayWait || sent - before < 2) task();
        else waiting = { task, cancel: clock.after(QUEUE_TICK_MS, runNow) };
      };
    },
    /** Runs the task at once, if one waits. */
    runNow,
    drop,
  };
}

/** Returns a function that runs the task at its first call. */
function once(task: () => void): () => void {
  let hasRun = false;
  return () => {
    if (hasRun) return;
    hasRun = true;
    task();
  };
}

/** The place of one answer, until it is closed. */
type Place = AnswerPlace & { close(): void };

function createPlace({ send, replace, affect, messages }: AnswerPlace): Place {
  let isOpen = true;
  return {
    send: (frame) => void (isOpen && send(frame)),
    replace: (message) => void (isOpen && replace(message)),
    affect: (effect) => void (isOpen && affect(effect)),
    messages,
    close: () => void (isOpen = false),
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
