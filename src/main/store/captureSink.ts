import type { Action } from '@reduxjs/toolkit';
import type { KnownRecord } from '#shared/capture/format.ts';
import type { FrameError, Update } from '#shared/protocol/update.ts';

/** A source of records that can wait. */
export interface Source {
  pause(): void;
  resume(): void;
}

/** Receives what happens in a session, at the moment when it happens (contract §6). */
export interface CaptureSink {
  /** Receives a recorded action at any time, also outside of a session; `now` is its time, of the clock. */
  action(action: Action, now: number): void;
  /** A session was launched: the records that follow belong to it, and their time counts from `launchedAt`, a time of the clock. */
  launched(launchedAt: number): void;
  /**
   * Receives a record of a session, with its time since the launch; outside of a session it is ignored.
   * @param update the decoded update of a received frame; `undefined` for every other record.
   */
  record(record: KnownRecord, update?: Update | FrameError): void;
  /** Pauses a source of records while the session's file cannot take more, so that nothing is lost; until the session ends. */
  pauseWhileFull(source: Source): void;
  /** The session has ended; its last action was received before. */
  ended(): void;
}
