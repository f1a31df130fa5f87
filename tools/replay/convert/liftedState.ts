import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';
import { UsageError } from '../base/errors.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { type LoggedAction, logApp, logParley } from './loggedSessions.ts';

/** The maximum length, characters. The file contains each state completely, so it grows with the square of a session's length. */
export const LIFTED_LIMIT = 64 * 1024 * 1024;

interface LiftedStateOptions {
  readonly header: CaptureHeader;
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
  /** Stops after this number of updates. */
  readonly until?: number | undefined;
  /** The adapter of another app; Parley by default. */
  readonly adapter?: AppAdapter | undefined;
  readonly limit?: number;
}

/** Actions and the states after them, as JSON. */
interface Log {
  readonly actions: string[];
  readonly states: string[];
  length: number;
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

async function logOf({
  header,
  records,
  until,
  adapter,
  limit = LIFTED_LIMIT,
}: LiftedStateOptions): Promise<Log> {
  const launchedAt = Date.parse(header.startedAt);
  const log: Log = { actions: [], states: [], length: 0 };
  const add = ({ t, action, state, updates }: LoggedAction) => {
    const lifted = JSON.stringify({ type: 'PERFORM_ACTION', action, timestamp: launchedAt + t });
    log.actions.push(lifted);
    log.states.push(state);
    log.length += lifted.length + state.length;
    if (log.length > limit) throw tooLarge(limit, updates);
  };
  const session = adapter === undefined ? logParley({ until, add }) : logApp(adapter, { until, add });
  for await (const batch of records()) if (!batch.every(session.take)) break;
  session.finish();
  return log;
}

const tooLarge = (limit: number, updates: number) =>
  new UsageError(
    `the states would take more than ${limit / 1024 / 1024} MB, which Redux DevTools cannot show: ` +
      `use fewer updates with --until ${updates}`,
  );
