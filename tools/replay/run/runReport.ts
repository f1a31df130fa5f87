import type { ParleyStep, Replay, StateDocument } from '../parley/parley.ts';
import type { FileReplay } from '../engine/replayFile.ts';
import { escapeControls, formatTime } from '../base/visibleText.ts';
import type { RunDocument } from './runDocument.ts';
import { summary } from './appRun.ts';
import { type Conversation, toFrame } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem, Update } from '#shared/protocol/update.ts';
import { pluralize, clip } from '#shared/formatText.ts';
import { describeUpdate, itemText } from '../base/describeUpdate.ts';
import type { ReceivedUpdate } from '#shared/actions/sessionActions.ts';

/** Formats the result of `run` for people, in pieces: the summary, then the parts of `--with`. */
export function* runReport(document: RunDocument, done: FileReplay<Replay>): Generator<string, void> {
  const { conversation, notifications, state } = document;
  yield summary(document, done, endText(done.replay));
  if (conversation) yield* transcript(conversation);
  if (notifications) {
    yield '\nNotifications\n';
    for (const { title, body } of notifications)
      yield `  ${escapeControls(title)}: ${escapeControls(body)}\n`;
    if (notifications.length === 0) yield '  none\n';
  }
  if (state) yield* stateReport(state);
  if (!conversation && !notifications && !state)
    yield '\nUse --with conversation,notifications to see the result.\n';
}

/** Formats the state as JSON, then the waiting updates, one a line. */
function* stateReport({ queue, ...state }: StateDocument): Generator<string, void> {
  const { waiting, ...size } = queue;
  yield `\nState\n${JSON.stringify({ ...state, queue: size }, null, 2).replaceAll(/^/gmu, '  ')}\n`;
  if (waiting.length > 0) yield '\nWaiting updates, with the time at which each was received\n';
  for (const update of waiting) yield waitingLine(update);
}

/** Formats the conversation for people, one message at a time: the sender, then each content item. */
function* transcript({ person, messages }: Conversation): Generator<string, void> {
  const name = person === null ? 'an unknown person' : escapeControls(person);
  yield `\nConversation of ${name}, ${pluralize(messages.length, 'message')}\n`;
  for (let i = 0; i < messages.length; i++) {
    const message = itemAt(messages, i);
    if (message === undefined) continue;
    const { modifier = '', context = '', content = [] } = toFrame(message);
    const who = [context, context === '' ? modifier : `(${modifier})`]
      .filter((part) => part !== '')
      .join(' ');
    yield `\n  ${escapeControls(who)}\n${content.map(itemLines).join('')}`;
  }
}

/** Formats an item, indented; its line breaks stay. */
const itemLines = (item: ContentItem): string =>
  itemText(item)
    .split(/\r?\n/u)
    .map((line) => `    ${escapeControls(line)}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');

const WIDEST_LINE = 100;

/** Describes one update at its tick, on one line: when, of what kind, with what content. */
export function stepLine({ tick, update, effect, notification }: ParleyStep): string {
  const content = notification
    ? clip(escapeControls(`${notification.title}: ${notification.body}`), WIDEST_LINE)
    : describeUpdate(update, WIDEST_LINE);
  return line(tick, update, `${effect === 'ignored' ? '(ignored) ' : ''}${content}`);
}

/** Describes one waiting update, on one line: when it was received, of what kind, with what content. */
const waitingLine = ({ at, update }: ReceivedUpdate): string =>
  line(at, update, describeUpdate(update, WIDEST_LINE));

const line = (time: number, { kind }: Update, content: string): string =>
  `${`${formatTime(time).padStart(9)}  ${kind.padEnd(12)}  ${content}`.trimEnd()}\n`;

/** Describes what a session of Parley ends with. */
function endText({ conversation, notifications }: Replay): string {
  const messages = pluralize(conversation.messages.length, 'message');
  const shown = notifications.length > 0 ? `, ${pluralize(notifications.length, 'notification')} shown` : '';
  return `${messages}${shown}`;
}
