import type { SessionInfo } from '../protocol/protocol.ts';
import { type Trace, lastStep } from './trace/trace.ts';
import { conversationAfter, countsAt } from './trace/traceState.ts';
import { windowNumbers } from './windowView.ts';

/** Describes the whole trace. */
export function sessionInfo(trace: Trace): SessionInfo {
  const { name, header, steps, warnings } = trace;
  const last = lastStep(trace);
  const { received, sent, applied, ignored, rejected } = countsAt(trace, last);
  return {
    name,
    header,
    steps: last,
    updates: applied + ignored,
    frames: { received, sent, rejected: Object.values(rejected).reduce((sum, count) => sum + count, 0) },
    messages: conversationAfter(trace, applied + ignored).messages.length,
    windows: windowNumbers(trace),
    duration: steps.times.at(last),
    warnings: [...warnings],
  };
}
