import type { FrameRecord } from '#shared/capture/format.ts';
import { frameData } from '../sockets/frameData.ts';
import {
  type ClientFrame,
  type FieldDifference,
  differenceText,
  frameDifference,
  shown,
} from './frameDifference.ts';
import type { ScriptConnection } from './script.ts';

/** A frame of the client that is not as recorded. */
export type Divergence =
  | { readonly kind: 'different'; readonly frame: number; readonly fields: readonly FieldDifference[] }
  | { readonly kind: 'extra'; readonly frame: number };

/** The client's frames against the recorded ones. */
export interface ComparisonReport {
  /** Frames that the client sent in the capture, and those that it sent now. */
  readonly recorded: number;
  readonly received: number;
  /** Of those: as recorded, not as recorded, and more than were recorded. */
  readonly same: number;
  readonly different: number;
  readonly extra: number;
  /** Recorded and not sent yet. */
  readonly missing: number;
  readonly divergences: readonly Divergence[];
}

export interface Comparison {
  /** A frame of the client came, while that connection was being played. */
  heard(data: Buffer, isBinary: boolean, connection: number): void;
  /** Takes the client's oldest frame for a recorded one; `false`, and said, when there is none yet. */
  match(recorded: FrameRecord): boolean;
  report(): ComparisonReport;
}

const sendsOf = ({ steps }: ScriptConnection) => steps.filter(({ type }) => type === 'send').length;

/** Compares frame by frame, in order; `say` hears of each difference as it comes. */
export function createComparison(
  connections: readonly ScriptConnection[],
  say: (line: string) => void,
): Comparison {
  /** Recorded frames that nothing was heard for yet, by connection. */
  const expected = connections.map(sendsOf);
  const recorded = expected.reduce((sum, n) => sum + n, 0);
  const waiting: { readonly number: number; readonly frame: ClientFrame }[] = [];
  const divergences: Divergence[] = [];
  let received = 0;
  let same = 0;
  let waitedFor: FrameRecord | undefined;

  return {
    heard(data, isBinary, connection) {
      received += 1;
      const left = expected[connection] ?? 0;
      if (left > 0) {
        expected[connection] = left - 1;
        waiting.push({ number: received, frame: frameData(data, isBinary) });
        return;
      }
      divergences.push({ kind: 'extra', frame: received });
      say(`the client’s frame ${received} is one more than was recorded`);
    },
    match(step) {
      const next = waiting.shift();
      if (next === undefined) {
        if (waitedFor !== step) say(`waits for the client, which said ${shown(step.data)}`);
        waitedFor = step;
        return false;
      }
      const fields = frameDifference(step, next.frame);
      if (fields.length === 0) same += 1;
      else {
        divergences.push({ kind: 'different', frame: next.number, fields });
        say(`the client’s frame ${next.number} differs: ${differenceText(fields)}`);
      }
      return true;
    },
    report() {
      const different = divergences.filter(({ kind }) => kind === 'different').length;
      const extra = divergences.length - different;
      const missing = recorded - same - different;
      return { recorded, received, same, different, extra, missing, divergences };
    },
  };
}
