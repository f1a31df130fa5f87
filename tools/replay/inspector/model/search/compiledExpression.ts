import type jsep from 'jsep';
import type { ConnectionState } from '#shared/store/connection.ts';
import type { State } from '../trace/traceState.ts';

/** The values that an expression can read, by name. */
export interface ExpressionState {
  readonly connection: ConnectionState;
  readonly [name: string]: unknown;
}

/** The values of a session of Parley. */
export interface ParleyValues extends Omit<State, 'clock'> {
  /** The number of released updates. */
  readonly updates: number;
  /** Seconds since the start of the recording, to the millisecond, as every part of the inspector shows a time. */
  readonly time: number;
  /** The action of the step; `undefined` when the step is not one. */
  readonly act: RecordedAct | undefined;
}

/** An action as it is in the capture; `window` is the number of the window whose action it is. */
export interface RecordedAct {
  readonly type: string;
  readonly payload?: unknown;
  readonly window?: number;
}

/** A part of an expression, compiled to a function of the state. */
export interface Compiled {
  readonly get: (state: ExpressionState) => unknown;
  readonly uses: Uses;
  /** The type of a part of the state. It follows from the path only: an object of a frame can have the same fields. */
  readonly shape?: 'messages' | 'message' | 'content' | 'connection';
}

/** The parts of the state on which an expression depends. */
export interface Uses {
  readonly conversation: boolean;
  readonly rest: boolean;
  readonly act: boolean;
}

/** The dependencies of a constant. */
export const NOTHING: Uses = { conversation: false, rest: false, act: false };
/** The dependencies of the conversation. */
export const CONVERSATION: Uses = { ...NOTHING, conversation: true };
/** The dependencies of the rest of the state. */
export const REST: Uses = { ...NOTHING, rest: true };

/** Returns the dependencies of two parts. */
export const bothUses = (a: Uses, b: Uses): Uses => ({
  conversation: a.conversation || b.conversation,
  rest: a.rest || b.rest,
  act: a.act || b.act,
});

/** The names that an expression can use. */
export type Names = Readonly<Record<string, Compiled>>;

/** Returns whether a field of a node is a node. */
export const isNode = (child: unknown): child is jsep.Expression =>
  typeof child === 'object' && child !== null && 'type' in child && typeof child.type === 'string';
