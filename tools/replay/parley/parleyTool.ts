import { ACTION_SECTIONS } from '#shared/actions/actionTable.ts';
import { messageDropped, messageSent, windowClosed, windowOpened } from '#shared/actions/mainActions.ts';
import { updateApplied, updateIgnored } from '#shared/actions/sessionActions.ts';
import { isKnown } from '#shared/capture/captureFormat.ts';
import { recordedAction } from '#shared/capture/recordedActions.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { clip, pluralize } from '#shared/formatText.ts';
import { isOutgoingCategory } from '#shared/protocol/outgoing.ts';
import type { ContentItem, Update } from '#shared/protocol/update.ts';
import { actionOf } from '#shared/replay/adapter.ts';
import { describeUpdate, itemText } from '../base/describeUpdate.ts';
import { escapeControls, updateLine } from '../base/visibleText.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { stateDiff } from '../diff/stateDiff.ts';
import type { Notification } from '../engine/sessionAdapter.ts';
import { sha256Of } from '../engine/stateReports.ts';
import type { DevToolsLog, FinishedRun, RunView, StatsView, Tally, ToolApp } from '../adapter/toolApp.ts';
import { parleyApp as inspected } from '../inspector/model/apps/parley.ts';
import { type ReplayState, type StateDocument, stateDocument } from './parley.ts';
import { parleyApp } from './parleyApp.ts';

/** What `stats` measures of Parley. */
const parleyStats: StatsView<ReplayState> = {
  changes: (before, after) => stateDiff(before.conversation, after.conversation),
  messagesOf: ({ conversation }) => conversation.messages.length,
  droppedOf: ({ counts }) => counts.dropped,
  categoryOf({ data, encoding }) {
    const category = encoding === 'base64' ? '' : (/^\{"category":"(\w+)"/u.exec(data)?.[1] ?? '');
    return isOutgoingCategory(category) ? category : 'other';
  },
  watchActs,
};

/** Each update, each change of the connection and each sent message. The state of the user actions is not in it. */
const parleyLog: DevToolsLog<ReplayState> = {
  stateOf: ({ connection, conversation }) => ({ connection, conversation: toSnapshot(conversation) }),
  updateAction: ({ effect, update }) => ({
    type: (effect === 'applied' ? updateApplied : updateIgnored).type,
    payload: { update },
  }),
  recordAction(record) {
    const action = actionOf(record);
    return action !== undefined && isShown(action.type) ? action : undefined;
  },
};

const isShown = (type: string) =>
  type.startsWith('connection/') || type === messageSent.type || type === messageDropped.type;

type Done = FinishedRun<ReplayState>;

const WIDEST_LINE = 100;

/** What `run` shows of Parley. */
const parleyRun: RunView<ReplayState, Update> = {
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
  stateHash: (hash, { replay }) => sha256Of(hashedTexts(hash, stateDocument(replay))),
};

/** Parley for the command line. */
export const parleyTool: ToolApp = {
  ...parleyApp,
  inspected,
  run: parleyRun,
  stats: parleyStats,
  devTools: parleyLog,
};

/** Counts what the person did, and the windows. Actions that rebuild the state at the start of a capture (`synthetic`) are not acts. */
function watchActs(): ReturnType<StatsView['watchActs']> {
  const acts: Tally = {};
  const actions: Tally = {};
  const open = new Set<number>();
  const windows = { opened: 0, closed: 0, mostOpen: 0 };
  return {
    take(record) {
      const action = isKnown(record) && record.type === 'action' ? recordedAction(record) : undefined;
      if (action === undefined) return;
      const isNew = !('synthetic' in record);
      if (windowOpened.match(action)) {
        open.add(action.payload.number);
        windows.mostOpen = Math.max(windows.mostOpen, open.size);
        if (isNew) windows.opened++;
      } else if (windowClosed.match(action)) {
        open.delete(action.payload.number);
        windows.closed++;
      } else if (isNew) {
        const { type } = action;
        if (Object.hasOwn(ACTION_SECTIONS.user, type)) acts[type] = (acts[type] ?? 0) + 1;
        if (Object.hasOwn(ACTION_SECTIONS.window, type)) actions[type] = (actions[type] ?? 0) + 1;
      }
    },
    counts: () => ({ acts, windows: { ...windows, actions } }),
  };
}

/** Formats the conversation for people, one message at a time: the sender, then each content item. */
function* transcript({ person, messages }: ReturnType<typeof toSnapshot>): Generator<string, void> {
  const name = person === null ? 'an unknown person' : escapeControls(person);
  yield `\nConversation of ${name}, ${pluralize(messages.length, 'message')}\n`;
  for (const { modifier = '', context = '', content = [] } of messages) {
    const who = [context, context === '' ? modifier : `(${modifier})`].filter(Boolean).join(' ');
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
  for (const { at, update } of waiting)
    yield updateLine({ tick: at, kind: update.kind }, describeUpdate(update, WIDEST_LINE));
}

/** Returns the texts that a hash of a replay's hash and its state covers: the canonical JSON of `{hash, state}`, then that of each waiting update. */
function* hashedTexts(hash: string, { queue, ...rest }: StateDocument): Generator<string, void> {
  const { waiting, ...size } = queue;
  yield canonicalJson({ hash, state: { ...rest, queue: size } });
  for (const update of waiting) yield canonicalJson(update);
}
