import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { END, type Engine, type Step as Release, createEngine } from '../../../engine/createEngine.ts';
import type { Rejection, SessionAdapter, SessionState } from '../../../engine/sessionAdapter.ts';
import type { InspectedApp } from './app.ts';
import type { StepKind } from './stepKinds.ts';

/** A step as it passes: a record, or an update at its tick. */
export interface WalkedStep {
  /** Its number; step 0 is the initial state. */
  readonly step: number;
  readonly kind: StepKind;
  /** Milliseconds since the start of the recording. */
  readonly t: number;
  readonly before: SessionState;
  readonly after: SessionState;
  /** The record; of an update at its tick, the one before which it was released. */
  readonly record: CaptureRecord;
  /** What the engine reports of an update at its tick. */
  readonly release: Release<SessionState> | undefined;
  /** The kind of the update: of a received frame, or at its tick. */
  readonly updateKind: string | undefined;
  /** Why a received frame is not an update. */
  readonly rejection: Rejection | undefined;
}

/** What a walk needs of an app. */
type WalkedApp = SessionAdapter & Pick<InspectedApp, 'takeFailure'>;

interface Beginning {
  /** The state from which the steps continue. */
  readonly start?: SessionState | undefined;
  /** Whether the session has ended there. */
  readonly isOver?: boolean;
}

/**
 * Numbers the steps of a session as records pass: updates that are due before a record come before it. After the end of the session, each record is a
 * step that changes nothing. Each frame is decoded once.
 */
export class StepWalker {
  readonly #app: WalkedApp;
  readonly #onStep: (step: WalkedStep) => void;
  readonly #engine: Engine<SessionState>;
  #step = 0;
  /** The state after the last step. */
  #last: SessionState;
  #next = END;
  #isOver: boolean;
  /** The kind of the last frame's update, and why the frame was rejected: it can also be neither. */
  #received: string | undefined;
  #rejection: Rejection | undefined;

  constructor(app: WalkedApp, onStep: (step: WalkedStep) => void, { start, isOver = false }: Beginning = {}) {
    this.#app = app;
    this.#onStep = onStep;
    this.#last = start ?? app.initialState;
    this.#isOver = isOver;
    this.#engine = createEngine(app, {
      start,
      onUpdate: (update) => (this.#received = app.kind(update)),
      onRejected: (rejection) => (this.#rejection = rejection),
      onStep: (release) => this.#add(releaseKind(release), release),
    });
  }

  /** The state after the last step. */
  get state(): SessionState {
    return this.#engine.state();
  }

  /** Whether a record has ended the session. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes the next record, after the updates that are due before it. */
  take(record: CaptureRecord): void {
    // A computation of a state can have left an exception.
    this.#app.takeFailure?.();
    this.#next = record;
    this.#received = undefined;
    this.#rejection = undefined;
    const wasOver = this.#isOver;
    // The engine releases the updates first.
    if (!wasOver) this.#isOver = !this.#engine.take(record);
    const isRejected = this.#rejection !== undefined;
    this.#add(wasOver ? 'other' : isRejected ? 'rejected' : kindOfRecord(record));
  }

  /** Releases the updates that are due before a record (by default: all), but at most `most`; returns whether there are more of them. */
  pass(record: CaptureRecord = END, most = Infinity): boolean {
    this.#app.takeFailure?.();
    this.#next = record;
    // Updates that waited when the session ended were never applied.
    return !this.#isOver && this.#engine.pass(record, most);
  }

  #add(kind: StepKind, release?: Release<SessionState>): void {
    const before = this.#last;
    this.#last = release?.after ?? this.state;
    this.#onStep({
      step: ++this.#step,
      kind,
      t: release?.tick ?? this.#next.t,
      before,
      after: this.#last,
      record: this.#next,
      release,
      updateKind: release === undefined ? this.#received : release.kind,
      rejection: release === undefined ? this.#rejection : undefined,
    });
  }
}

const releaseKind = ({ notification, effect }: Release): StepKind =>
  notification === undefined ? effect : 'notification';

/** Returns the kind of the step of a record whose frame was not rejected. */
function kindOfRecord(record: CaptureRecord): StepKind {
  if (!isKnown(record)) return 'other';
  switch (record.type) {
    case 'open':
    case 'close':
    case 'action':
      return record.type;
    case 'launch':
    case 'release':
      return 'action';
    case 'send':
      return 'sent';
    case 'recv':
      return 'received';
    case 'http':
    case 'end':
      return 'other';
    default:
      return record satisfies never;
  }
}
