import { BACKLOG_FROM, QUEUE_TICK_MS } from '#shared/limits.ts';
import { freshText } from './echoChecks.ts';
import type { ObservedFrame, ObservedSocket } from './observedSocket.ts';
import {
  type Check,
  OK,
  type Outcome,
  type Subject,
  failed,
  findEcho,
  notTested,
  sendText,
  shown,
  untilQuiet,
} from './subject.ts';

/** The checks of answers: what triggers them, and what they contain, is the platform's decision (spec §1). */
export const answerChecks: readonly Check[] = [
  {
    id: 'answer',
    row: 'spec §1 item 1',
    checks: 'a text gets an answer, whose updates wait less than two seconds in the client’s queue',
    run: expectAnswers,
  },
  {
    id: 'interrupted',
    row: 'spec §6.1 row 6',
    checks: 'a text that is sent while an answer is written stays as it was',
    run: interruptAnswer,
  },
];

/** Sends each text when the answer before it has ended, and measures the answers. */
async function expectAnswers(subject: Subject): Promise<Outcome> {
  const { first, say } = subject;
  let hasAnswer = false;
  let waiting = 0;
  for (const text of [freshText('Hello'), ...say]) {
    await untilQuiet(subject);
    const from = first.frames.length;
    sendText(first, text);
    if (!(await first.until(() => isEchoed(first, { text, from }))))
      return failed('a text without an answer', 'its message of `client`');
    await first.until(() => first.frames.slice(from).some(isAnswer));
    await untilQuiet(subject);
    const answer = first.frames.slice(from);
    hasAnswer ||= answer.some(isAnswer);
    waiting = Math.max(waiting, mostWaiting(answer));
  }
  if (waiting >= BACKLOG_FROM)
    return failed(`${waiting} updates wait`, `fewer than ${BACKLOG_FROM}: a client shows ten a second`);
  return hasAnswer ? OK : notTested('no answer came in time');
}

/** Sends a text right after the beginning of an answer: the rest of the answer must not change it. */
async function interruptAnswer(subject: Subject): Promise<Outcome> {
  const { first } = subject;
  await untilQuiet(subject);
  const from = first.frames.length;
  sendText(first, freshText('A question'));
  if (!(await first.until(() => first.frames.slice(from).some(isAnswer))))
    return notTested('no answer came in time');
  const text = freshText('Another one');
  sendText(first, text);
  await first.until(() => findEcho(first, text) !== -1);
  await untilQuiet(subject);
  const isShown = shown(first).messages.some(
    ({ modifier, content = [] }) =>
      modifier === 'client' && content.length === 1 && content[0]?.text === text,
  );
  return isShown
    ? OK
    : failed('a text that the running answer changed', 'the answer ends before another message is appended');
}

/** Returns whether the text came back after a position; the same text may have been sent before. */
const isEchoed = (socket: ObservedSocket, { text, from }: { readonly text: string; readonly from: number }) =>
  findEcho({ ...socket, frames: socket.frames.slice(from) }, text) !== -1;

const isAnswer = ({ update }: ObservedFrame) =>
  update.kind === 'message' && update.frame.modifier !== 'client';

/** Returns how many updates wait at most in a queue that releases one per tick (spec §8 queue tick). */
function mostWaiting(frames: readonly Pick<ObservedFrame, 'at'>[]): number {
  const start = frames[0]?.at ?? 0;
  let waiting = 0;
  let most = 0;
  let ticks = 0;
  for (const { at } of frames) {
    const due = Math.floor((at - start) / QUEUE_TICK_MS);
    waiting = Math.max(0, waiting - (due - ticks)) + 1;
    ticks = due;
    most = Math.max(most, waiting);
  }
  return most;
}

/** The words that the built-in platform's snapshot lists, a convention of docs/platform.md. */
export const wordsCheck: Check = {
  id: 'words',
  row: 'docs/platform.md words',
  checks: 'the words of the snapshot are a list of texts',
  run({ first }) {
    const snapshot = first.frames[0]?.update;
    if (snapshot?.kind !== 'snapshot' || !('words' in snapshot.frame))
      return notTested('the snapshot lists no words');
    const { words } = snapshot.frame;
    const isList = Array.isArray(words) && words.every((word) => typeof word === 'string');
    return isList ? OK : failed('another type', 'a list of texts');
  },
};

/** Returns whether what the person sent is still in the conversation as it was (spec §6.1 rows 4 to 6). */
export const unchangedCheck: Check = {
  id: 'unchanged',
  row: 'spec §6.1 row 6',
  checks: 'no content item or text of an answer changes a message of the person',
  run({ first }) {
    const sent = new Map<string, string>();
    for (const { update } of first.frames)
      if (update.kind === 'message' && update.frame.modifier === 'client')
        sent.set(update.frame.id ?? '', JSON.stringify(update.frame.content ?? []));
    const isChanged = shown(first).messages.some(({ id = '', content = [] }) => {
      const before = sent.get(id);
      return before !== undefined && before !== JSON.stringify(content);
    });
    return isChanged
      ? failed('a message of `client` that an update changed', 'the answer ends before another message')
      : OK;
  },
};
