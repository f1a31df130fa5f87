import type { StepOrTime } from '../base/commandOptions.ts';
import { type Change, keysOf } from '../diff/valueDiff.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import { STEP_KINDS, type StepKind } from '../inspector/model/trace/stepKinds.ts';
import type { WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import { describeStep, isFrameRecord, likeness, typeOf, wireBytes } from '../inspector/model/trace/steps.ts';
import { isDifferent, shownDiff } from '../inspector/model/trace/valuePath.ts';
import { contentOf, findField } from './frameField.ts';
import { type Source, ValueWalk } from './valueWalk.ts';

/** A step, as a history describes it: its times are milliseconds since the start of the recording. */
export type DescribedStep = ReturnType<typeof describedStep>;

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

/** A step; of an update that waits, when its frame was received, without states. */
export type Passed = Pick<WalkedStep, 'step' | 'kind' | 't' | 'updateKind'> &
  Partial<Pick<WalkedStep, 'before' | 'after' | 'release'>>;

/** Describes a step. */
export function describedStep(
  app: InspectedApp,
  { step, kind, t, updateKind, before, after, release }: Passed,
  { record, index, placeOf, inBatch, failure }: Source,
) {
  const states = before && after && { before: () => before, after: () => after };
  return {
    step,
    kind,
    t,
    ...(release && { receivedAt: release.receivedAt }),
    type: updateKind ?? typeOf(record),
    summary: describeStep(app, { kind, failure, updates: release?.number ?? 0, record, states }),
    frame: {
      record: index + 1,
      ...placeOf?.(inBatch),
      ...(isFrameRecord(record) && { bytes: wireBytes(record) }),
    },
  };
}

/**
 * The history of the value at a path: all steps up to a moment that changed it. It takes the records of a capture in their order, and keeps no states but
 * the last one and those of the newest changes.
 */
export class ValueHistory extends ValueWalk {
  /** The steps that changed the value, the oldest first. */
  readonly entries: HistoryEntry[] = [];
  /** The newest changes, the oldest first, each with the nearest earlier step of its kind that left the value alone. */
  readonly newest: { readonly step: WalkedStep; readonly unlike: WalkedStep | undefined }[] = [];
  /** Whether a received frame can change the value. */
  readonly #isCounted: boolean;
  /** The last step that left the value alone, by its type, of the steps of each likeness. */
  readonly #unchanged = new Map(STEP_KINDS.map((kind) => [kind, new Map<string, WalkedStep>()]));
  #value: unknown;

  /** @throws {SessionError} when the path does not begin with a name of the state. */
  constructor(app: InspectedApp, path: string, at?: StepOrTime) {
    super(app, path, at);
    this.#isCounted = COUNTED.has(keysOf(path)[0] ?? '');
    this.#value = this.read(app.initialState);
  }

  override get isDone(): boolean {
    return this.isPast || super.isDone;
  }

  protected override onStep(step: WalkedStep, source: Source): void {
    if (this.isPast || (!this.#isCounted && RECEIVED.has(step.kind))) return;
    const before = this.#value;
    this.#value = this.read(step.after);
    // Two maps: a joined text would be hashed at each step.
    const unchanged = this.#unchanged.get(likeness(step.kind));
    const type = step.updateKind ?? typeOf(step.record);
    if (!isDifferent(before, this.#value)) {
      unchanged?.set(type, step);
      return;
    }
    const change = { path: this.path, before, after: this.#value };
    const changes = shownDiff(before, this.#value, this.path);
    const field = findField(contentOf(source.record), [change, ...changes.slice(0, MOST_PARTS)]);
    const unlike = unchanged?.get(type);
    this.entries.push({
      ...describedStep(this.app, step, source),
      before,
      after: this.#value,
      changes,
      ...(field !== undefined && { field }),
      ...(unlike && { unlike: unlike.step }),
    });
    this.newest.push({ step, unlike });
    if (this.newest.length > MOST_LINED) this.newest.shift();
  }
}

/** The number of changes whose states are kept. */
const MOST_LINED = 100;

/** The values that a received frame changes; its update changes the others at its tick. */
const COUNTED: ReadonlySet<string> = new Set(['queue', 'counts']);
const RECEIVED: ReadonlySet<StepKind> = new Set<StepKind>(['received', 'rejected']);

/** The number of changed parts whose fields are searched. */
const MOST_PARTS = 5;
