import type { CaptureRecord } from '#shared/capture/format.ts';
import { type Change, valueDiff } from '../diff/valueDiff.ts';
import type { ParleyEngine, ParleyOptions, ReplayState } from '../engine/parley.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { wholeState } from './wholeState.ts';

interface Options {
  /** The capture's name, for errors. */
  readonly name: string;
  readonly create: (options: ParleyOptions) => ParleyEngine;
  readonly options?: ParleyOptions;
  /** The state in which the capture before it ended. */
  readonly after: ReplayState;
}

/** An engine that continues the session before. */
interface ContinuedEngine extends ParleyEngine {
  /** Returns how that state differs from the beginning of the capture: `before` is the beginning. */
  differences(): readonly Change[];
}

/**
 * Creates the engine of a capture that follows another one of the same run of the program. Its beginning, the synthetic actions at time 0,
 * is only compared with the state in which the capture before it ended. Its other records continue that state.
 */
export function continuedEngine({ name, create, options = {}, after }: Options): ContinuedEngine {
  let engine = create({});
  let differences: readonly Change[] | undefined;
  let isLaunched = false;
  const begin = () => {
    if (differences !== undefined) return;
    differences = valueDiff(wholeState(engine.state()), wholeState(after));
    engine = create({ ...options, start: after });
  };
  return {
    take(record) {
      const isOfBeginning = differences === undefined && 'synthetic' in record;
      isLaunched ||= record.type === 'launch';
      if ((isOfBeginning && !isAtStart(record)) || (isOfSession(record) && !isLaunched))
        throw new CaptureError(
          `${name}: lacks the beginning of its session, so it can follow no other capture`,
        );
      if (!isOfBeginning) begin();
      return engine.take(record);
    },
    pass: (record, most) => engine.pass(record, most),
    nextTick: (record) => engine.nextTick(record),
    state: () => engine.state(),
    finish() {
      begin();
      return engine.finish();
    },
    differences: () => differences ?? [],
  };
}

/** Returns whether a synthetic record is one of the beginning of a recording; others replace records that are lost. */
const isAtStart = ({ type, t }: CaptureRecord): boolean => type === 'action' && t === 0;

/** The records that are only written while a session runs. */
const OF_SESSION: ReadonlySet<string> = new Set(['recv', 'send', 'open', 'close', 'release']);

const isOfSession = ({ type }: CaptureRecord): boolean => OF_SESSION.has(type);
