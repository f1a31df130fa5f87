import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import { type Change, keysOf } from '../diff/valueDiff.ts';
import type { SessionState } from '../engine/sessionAdapter.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import type { StepKind } from '../inspector/model/trace/stepKinds.ts';
import type { WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import { describeStep, isFrameRecord, wireBytes } from '../inspector/model/trace/steps.ts';
import { isDifferent, shownDiff, valueReader } from '../inspector/model/trace/valuePath.ts';
import type { LinePlace } from '../read/captureDecoder.ts';
import { contentOf, findField } from './frameField.ts';
import { type Source, SessionWalk } from './sessionWalk.ts';
import type { Moment } from './countedApp.ts';
import { END } from '../engine/createEngine.ts';

/** A moment of a session: a step, or a time in milliseconds since the start of the recording. */
export type Point = { readonly step: number } | { readonly time: number };

/** Returns whether a step is after a moment. A time is that which is shown, to the millisecond. */
export const isAfter = ({ step, t }: Pick<WalkedStep, 'step' | 't'>, at: Point): boolean =>
  'step' in at ? step > at.step : t >= at.time + 0.5;

/** A step, as a history describes it. */
export interface DescribedStep {
  readonly step: number;
  readonly kind: StepKind;
  /** Its time, and of an update when its frame was received, in milliseconds since the start of the recording. */
  readonly t: number;
  readonly receivedAt?: number;
  /** The kind of the update, the type of the action, or that of the record. */
  readonly type: string;
  /** The text by which the inspector describes it. */
  readonly summary: string;
  readonly frame: FramePlace;
}

/** A record as the cause of a step. */
export interface FramePlace extends Partial<LinePlace> {
  /** Its number, from 1. */
  readonly record: number;
  /** The size of a frame on the wire. */
  readonly bytes?: number;
}

/** A step that changed a value. */
export interface HistoryEntry extends DescribedStep {
  readonly before: unknown;
  readonly after: unknown;
  /** The innermost changes. */
  readonly changes: readonly Change[];
  /** The path of the field from which the value came: within the frame, or within another record. */
  readonly field?: string;
  /** The nearest earlier step of the same kind that left the value alone. */
  readonly unlike?: number;
}

/** Returns the type of a step: the kind of its update, the type of its action, or that of its record. */
export const typeOf = ({ updateKind, record }: Partial<Pick<WalkedStep, 'updateKind' | 'record'>>): string =>
  updateKind ?? actionType(record) ?? record?.type ?? '';

function actionType(record: CaptureRecord | undefined): string | undefined {
  return record !== undefined && isKnown(record) && record.type === 'action' ? record.action.type : undefined;
}

/** A step, with the stack of an exception of the app's code; while an update waits, without states. */
type Passed = Pick<WalkedStep, 'step' | 'kind' | 't' | 'updateKind'> &
  Partial<Pick<WalkedStep, 'before' | 'after' | 'release'>> & { readonly failure?: string | undefined };

/** Describes a step. */
export function describedStep(app: InspectedApp, step: Passed, source: Source): DescribedStep {
  const { kind, t, before, after, release, failure } = step;
  const { record, index, place } = source;
  const updates = after === undefined ? 0 : after.counts.applied + after.counts.ignored;
  const states = before && after && { before: () => before, after: () => after };
  return {
    step: step.step,
    kind,
    t,
    ...(release && { receivedAt: release.receivedAt }),
    type: typeOf(release === undefined ? { ...step, record } : step),
    summary: describeStep(app, { kind, failure, updates, record, states }),
    frame: { record: index + 1, ...place, ...(isFrameRecord(record) && { bytes: wireBytes(record) }) },
  };
}

/**
 * The history of the value at a path: all steps up to a moment that changed it. It takes the records of a capture in their order, and keeps no states but
 * the last one and those of the newest changes.
 */
export class ValueHistory {
  readonly path: string;
  /** The steps that changed the value, the oldest first. */
  readonly entries: HistoryEntry[] = [];
  readonly #app: InspectedApp;
  readonly #at: Point;
  readonly #walk: SessionWalk;
  readonly #read: (state: SessionState) => unknown;
  /** Whether a received frame can change the value. */
  readonly #isCounted: boolean;
  /** The last step of each kind that left the value alone. */
  readonly #unchanged = new Map<string, Map<string, Unchanged>>();
  /** The newest changes, the oldest first: with what their lines of source are found. */
  readonly newest: NewestChange[] = [];
  #next = END;
  #state: SessionState;
  #value: unknown;
  #existed: boolean;
  #end = { step: 0, t: 0 };
  #isPast = false;

  /** @throws {SessionError} when the path does not begin with a name of the state. */
  constructor(app: InspectedApp, path: string, at: Point = { step: Infinity }) {
    this.path = path;
    this.#app = app;
    this.#at = at;
    this.#read = valueReader(app, path);
    this.#isCounted = COUNTED.has(keysOf(path)[0] ?? '');
    this.#state = app.initialState;
    this.#value = this.#read(this.#state);
    this.#existed = this.#value !== undefined;
    this.#walk = new SessionWalk(app, {
      onStep: (step, source, failure) => this.#take(step, source, failure),
    });
  }

  /** The last step up to the moment, its time and the state and the value after it. */
  get end() {
    return { ...this.#end, state: this.#state, value: this.#value };
  }

  /** Whether the value has existed at any step. */
  get existed(): boolean {
    return this.#existed;
  }

  /** Whether no further step counts. */
  get isDone(): boolean {
    return this.#isPast || this.#walk.isOver;
  }

  /** Takes the next record, after the updates that are due before it. */
  take(record: CaptureRecord, place?: LinePlace): void {
    this.#next = record;
    this.#walk.take(record, place);
  }

  /** Releases the updates that are due before a record (by default: all), but at most `most`; returns whether there are more of them. */
  pass(record?: CaptureRecord, most?: number): boolean {
    this.#next = record ?? END;
    return !this.#isPast && this.#walk.pass(record, most);
  }

  #take(step: WalkedStep, source: Source, failure: string | undefined): void {
    this.#isPast ||= isAfter(step, this.#at);
    if (this.#isPast) return;
    this.#end = { step: step.step, t: step.t };
    this.#state = step.after;
    const before = this.#value;
    if (this.#isCounted || !RECEIVED.has(step.kind)) this.#value = this.#read(step.after);
    if (isDifferent(before, this.#value)) this.#add({ ...step, failure }, source, before);
    else this.#alike(step).set(typeOf(step), { step, next: this.#next });
  }

  /** Returns the last steps that left the value alone, by type, of those that are of a kind. */
  #alike({ kind, release }: WalkedStep): Map<string, Unchanged> {
    const group = release === undefined ? kind : 'applied';
    const known = this.#unchanged.get(group);
    if (known !== undefined) return known;
    const added = new Map<string, Unchanged>();
    this.#unchanged.set(group, added);
    return added;
  }

  #add(step: WalkedStep & { readonly failure: string | undefined }, source: Source, before: unknown): void {
    const after = this.#value;
    this.#existed = true;
    const { path } = this;
    const changes = shownDiff(before, after, path);
    const field = findField(contentOf(source.record), path, {
      path,
      before,
      after,
      parts: changes.slice(0, MOST_PARTS),
    });
    const unlike = this.#alike(step).get(typeOf(step));
    this.entries.push({
      ...describedStep(this.#app, step, source),
      before,
      after,
      changes,
      ...(field !== undefined && { field }),
      ...(unlike !== undefined && { unlike: unlike.step.step }),
    });
    this.newest.push({ change: { step, next: this.#next }, unlike });
    if (this.newest.length > MOST_LINED) this.newest.shift();
  }
}

/** A step that left the value alone. */
interface Unchanged extends Moment {
  readonly step: WalkedStep;
}

/** A change, and the nearest earlier step of its kind that left the value alone. */
interface NewestChange {
  readonly change: Moment;
  readonly unlike: Moment | undefined;
}

/** The number of changes whose states are kept. */
const MOST_LINED = 100;

/** The values that a received frame changes; its update changes the others at its tick. */
const COUNTED: ReadonlySet<string> = new Set(['queue', 'counts']);
const RECEIVED: ReadonlySet<StepKind> = new Set<StepKind>(['received', 'rejected']);

/** The number of changed parts whose fields are searched. */
const MOST_PARTS = 5;
