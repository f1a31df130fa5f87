import type { SessionInfo } from '../protocol/protocol.ts';
import type { Session } from './trace/session.ts';
import { lastStep } from './trace/trace.ts';
import { countsAt } from './trace/traceState.ts';

/** Describes the whole session. */
export function sessionInfo(session: Session): SessionInfo {
  const { name, header, steps, warnings } = session.trace;
  const last = lastStep(session.trace);
  const { received, sent, applied, ignored, rejected } = countsAt(session.trace, last);
  return {
    name,
    header,
    steps: last,
    updates: applied + ignored,
    frames: { received, sent, rejected: Object.values(rejected).reduce((sum, count) => sum + count, 0) },
    ...session.describe(),
    duration: steps.times.at(last),
    warnings: [...warnings],
  };
}
