import { createHash } from 'node:crypto';
import type { ReceivedUpdate } from '#shared/actions/sessionActions.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { clip, pluralize } from '#shared/formatText.ts';
import type { ContentItem, Update } from '#shared/protocol/update.ts';
import { describeUpdate, itemText } from '../base/describeUpdate.ts';
import { escapeControls, updateLine } from '../base/visibleText.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import type { Notification } from '../engine/sessionAdapter.ts';
import type { FinishedRun, RunView } from '../adapter/toolApp.ts';
import { type ReplayState, type StateDocument, stateDocument } from './parley.ts';

type Done = FinishedRun<ReplayState>;

const WIDEST_LINE = 100;

/** What `run` shows of Parley. */
export const parleyRun: RunView<ReplayState, Update> = {
  parts: {
    conversation: { value: ({ replay }: Done) => toSnapshot(replay.conversation), text: transcript },
    notifications: { value: ({ notifications }) => notifications, text: notificationLines },
    state: { value: ({ replay }: Done) => stateDocument(replay), text: stateReport },
  },
  advised: 'conversation,notifications',
  describe({ update, notification }) {
    const text = notification && `${notification.title}: ${notification.body}`;
    return text === undefined ? describeUpdate(update, WIDEST_LINE) : clip(escapeControls(text), WIDEST_LINE);
  },
  ending({ replay, notifications: { length: shown } }) {
    const messages = pluralize(replay.conversation.messages.length, 'message');
    return shown > 0 ? `${messages}, ${pluralize(shown, 'notification')} shown` : messages;
  },
  stateHash: (hash, { replay }) => hashState(hash, stateDocument(replay)),
};

/** Formats the conversation for people, one message at a time: the sender, then each content item. */
function* transcript({ person, messages }: ReturnType<typeof toSnapshot>): Generator<string, void> {
  const name = person === null ? 'an unknown person' : escapeControls(person);
  yield `\nConversation of ${name}, ${pluralize(messages.length, 'message')}\n`;
  for (const { modifier = '', context = '', content = [] } of messages) {
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
    .map((line) => `${`    ${escapeControls(line)}`.trimEnd()}\n`)
    .join('');

function* notificationLines(notifications: readonly Notification[]): Generator<string, void> {
  yield '\nNotifications\n';
  for (const { title, body } of notifications) yield `  ${escapeControls(title)}: ${escapeControls(body)}\n`;
  if (notifications.length === 0) yield '  none\n';
}

/** Formats the state as JSON, then the waiting updates, one a line. */
function* stateReport({ queue, ...state }: StateDocument): Generator<string, void> {
  const { waiting, ...size } = queue;
  yield `\nState\n${JSON.stringify({ ...state, queue: size }, null, 2).replaceAll(/^/gmu, '  ')}\n`;
  if (waiting.length > 0) yield '\nWaiting updates, with the time at which each was received\n';
  for (const update of waiting) yield waitingLine(update);
}

/** Describes one waiting update, on one line: when it was received, of what kind, with what content. */
const waitingLine = ({ at, update }: ReceivedUpdate): string =>
  updateLine({ tick: at, kind: update.kind }, describeUpdate(update, WIDEST_LINE));

/**
 * Returns `sha256:…` over the replay's hash and its state: the canonical JSON of `{hash, state}`, then each waiting update. The waiting updates
 * are hashed one by one, because together they can be longer than a string can be.
 */
function hashState(replayHash: string, { queue, ...rest }: StateDocument): string {
  const { waiting, ...size } = queue;
  const hash = createHash('sha256');
  hash.update(canonicalJson({ hash: replayHash, state: { ...rest, queue: size } }));
  for (const update of waiting) hash.update(canonicalJson(update));
  return `sha256:${hash.digest('hex')}`;
}
