import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { UsageError } from '../base/errors.ts';
import type { AppAction } from '../engine/appAdapter.ts';
import { appActionOf, isAction } from '../engine/appSession.ts';
import { createEngine } from '../engine/createEngine.ts';
import { isFrame } from '../engine/frames.ts';
import type { SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { ownStateOf } from '../engine/stateReports.ts';
import type { DevToolsLog } from '../adapter/toolApp.ts';
import type { CaptureReader } from '../read/captureDecoder.ts';

/** The maximum length, characters. The file contains each state completely, so it grows with the square of a session's length. */
export const LIFTED_LIMIT = 64 * 1024 * 1024;

interface LiftedStateOptions extends Pick<CaptureReader, 'header' | 'records'> {
  /** Stops after this number of updates. */
  readonly until?: number | undefined;
  readonly adapter: SessionAdapter;
  /** What the log contains of the app; without it, all. */
  readonly log?: DevToolsLog | undefined;
  readonly limit?: number;
}

/**
 * Formats a capture as the state that the Redux DevTools extension imports, as JSON in pieces: an action for each update at
 * its tick, each change of the connection and each sent message, and the state after it in the specification's shape.
 * @throws {UsageError} when it would be larger than the limit; the message says up to which update it fits.
 */
export async function* liftedState(options: LiftedStateOptions): AsyncGenerator<string, void> {
  const { actions, states } = await logOf(options);
  const ids = actions.map((_, i) => i);
  const list = JSON.stringify(ids);
  yield `{"monitorState":{},"nextActionId":${ids.length},"actionsById":{`;
  for (const id of ids) yield `${id === 0 ? '' : ','}"${id}":${actions[id]}`;
  yield `},"stagedActionIds":${list},"skippedActionIds":[],"committedState":${states[0]},`;
  yield `"currentStateIndex":${ids.length - 1},"computedStates":[`;
  for (const id of ids) yield `${id === 0 ? '' : ','}{"state":${states[id]}}`;
  yield `],"isLocked":false,"isPaused":false}\n`;
}

/** Returns the actions of a session, and the state after each, as JSON. */
async function logOf({ adapter, log, header, records, until, limit = LIFTED_LIMIT }: LiftedStateOptions) {
  const { stateOf, updateAction, recordAction } = log ?? wholeLog(adapter);
  const startedAt = Date.parse(header.startedAt);
  const actions: string[] = [];
  const states: string[] = [];
  let length = 0;
  let updates = 0;
  const add = (t: number, action: AppAction, state: SessionState) => {
    const lifted = JSON.stringify({ type: 'PERFORM_ACTION', action, timestamp: startedAt + t });
    const json = JSON.stringify(stateOf(state));
    actions.push(lifted);
    states.push(json);
    length += lifted.length + json.length;
    if (length <= limit) return;
    throw new UsageError(
      `the states would take more than ${limit / 1024 / 1024} MB, which Redux DevTools cannot show: ` +
        `use fewer updates with --until ${updates}`,
    );
  };
  const engine = createEngine(adapter, {
    until,
    onStep(step) {
      add(step.tick, updateAction(step), step.after);
      updates = step.number;
    },
  });
  const take = (record: CaptureRecord): boolean => {
    if (!engine.take(record)) return false;
    const action = recordAction(record);
    if (action !== undefined) add(record.t, action, engine.state());
    return true;
  };
  add(0, { type: '@@INIT' }, adapter.initialState);
  for await (const batch of records()) if (!batch.every(take)) break;
  engine.finish();
  return { actions, states };
}

/**
 * The log with all of an app: each update, each recorded action, each open and close, and each sent frame. An update that is an action stays as
 * it is; another one has its kind as the type.
 */
const wholeLog = (adapter: SessionAdapter): DevToolsLog => ({
  stateOf: (state) => ownStateOf(adapter, state),
  updateAction: ({ kind, update }) => (isAction(update) ? update : { type: kind, payload: update }),
  recordAction: (record) => (isFrame(record, 'send') ? { type: 'frame/sent' } : appActionOf(record)),
});
