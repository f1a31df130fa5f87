import { ACTION_SECTIONS } from '#shared/actions/actionTable.ts';
import { messageDropped, messageSent, windowClosed, windowOpened } from '#shared/actions/mainActions.ts';
import { updateApplied, updateIgnored } from '#shared/actions/sessionActions.ts';
import { isKnown } from '#shared/capture/captureFormat.ts';
import { recordedAction } from '#shared/capture/recordedActions.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { isOutgoingCategory } from '#shared/protocol/outgoing.ts';
import { actionOf } from '#shared/replay/adapter.ts';
import { stateDiff } from '../diff/stateDiff.ts';
import type { DevToolsLog, StatsView, Tally, ToolApp } from '../adapter/toolApp.ts';
import { parleyApp as inspected } from '../inspector/model/apps/parley.ts';
import type { ReplayState } from './parley.ts';
import { parleyApp } from './parleyApp.ts';
import { parleyRun } from './parleyRun.ts';

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
