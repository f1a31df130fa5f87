import type { MessagesView } from '../../protocol/messagesView.ts';
import type { FrameRecord } from '#shared/capture/format.ts';
import type { Change } from '../../../diff/valueDiff.ts';
import type { SessionInfo, StateTarget, StepView } from '../../protocol/protocol.ts';
import type { Place } from './stateTree.ts';
import type { Trace } from './trace.ts';

/** The maximum number of changes that a view contains. */
export const MOST_CHANGES = 500;

/** A step, and the step that it is compared with. */
export interface Sides {
  readonly step: number;
  readonly base: number;
}

/** What a view shows of the app. */
export interface PictureOptions extends Sides {
  /** The number of newest messages to show. */
  readonly messages: number;
  /** The number of the chosen window. */
  readonly window: number | undefined;
}

/** A trace with what its code computes: Parley's, or the adapter of another app. Steps are within the trace. */
export interface Session {
  readonly trace: Trace;
  /** Returns the parts of the description that only this code has. */
  describe(): Pick<SessionInfo, 'app' | 'messages' | 'windows'>;
  /** Returns the whole state after a step. */
  placeAt(step: number): Place;
  /** Returns the changes between two steps; of a long difference, at least the first {@link MOST_CHANGES}. */
  changes(sides: Sides): readonly Change[];
  /** Returns a function that returns the changes of a step; call it in step order. */
  changesOfSteps(): (step: number) => readonly Change[];
  /** Returns what the app showed after a step. */
  picture(options: PictureOptions): Pick<StepView, 'parley' | 'app'>;
  /** Returns messages of Parley's conversation after a step. */
  messages(step: number, from: number, to: number): MessagesView;
  /** Says why the app rejects a received frame; `undefined` when it does not. */
  rejection(record: FrameRecord): string | undefined;
  /** Returns whether a step matches; call the function in step order. @throws {SessionError} when the target is not valid. */
  predicate(target: StateTarget): (step: number) => boolean;
}
