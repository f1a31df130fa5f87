import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { Change } from '../diff/valueDiff.ts';
import type { WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import { isFrameRecord, typeOf } from '../inspector/model/trace/steps.ts';
import { isDifferent } from '../inspector/model/trace/valuePath.ts';
import { contentOf, lastName, placeWith } from './frameField.ts';
import { siblingPaths } from './nearPaths.ts';
import { type Passed, describedStep } from './valueHistory.ts';
import { type Source, ValueWalk } from './valueWalk.ts';
import type { Candidate } from './whyDocument.ts';

/** Why a step did not change a value. */
type Verdict = Pick<Candidate, 'reason' | 'because' | 'paths' | 'field'>;

/** Returns what steps of a kind have in common. */
const kindOf = (updateKind: string | undefined, record: CaptureRecord): string =>
  updateKind === undefined ? `record ${typeOf(record)}` : `update ${updateKind}`;

/** The kind of a step that is a candidate when any step changes the value. */
const ANY_KIND = '';
const WAITING: Verdict = { reason: 'waiting', because: 'it still waited in the queue' };
const LOST: Verdict = { reason: 'dropped', because: 'it still waited when the session ended' };

/**
 * Finds the steps that could have changed the value at a path: those of a kind that changes it, in this item or in another one, and the frames and actions
 * that contain its name. Later steps than the moment still show which kinds change the value.
 */
export class WhyNot extends ValueWalk {
  readonly #name = lastName(this.path);
  readonly #quotedName = JSON.stringify(this.#name);
  /** Each is a candidate if it is named or its kind is one that changes the value: that is known at the end. */
  readonly #possible: { readonly candidate: Candidate; readonly kind: string; readonly isNamed: boolean }[] =
    [];
  /** The kinds of the steps that changed the value, here or elsewhere. */
  readonly #kinds = new Set<string>();

  /** Returns the steps up to the moment that could have changed the value, the newest first; call it after the last record. */
  candidates(): readonly Candidate[] {
    if (!this.isPast) this.#leave(this.isDone ? LOST : WAITING);
    // A person who names a moment asks about its step.
    const asked = Object.values(this.at).every(Number.isFinite) ? this.end.step : undefined;
    const isCandidate = (kind: string) => (kind === ANY_KIND ? this.#kinds.size > 0 : this.#kinds.has(kind));
    return this.#possible
      .filter(({ candidate, isNamed, kind }) => isNamed || candidate.step === asked || isCandidate(kind))
      .map(({ candidate }) => candidate)
      .sort((a, b) => b.step - a.step);
  }

  protected override onStep(step: WalkedStep, source: Source): void {
    if (step.kind === 'received' || step.kind === 'sent') return;
    const kind = kindOf(step.updateKind, source.record);
    const changes = step.before === step.after ? [] : this.app.changes(step.before, step.after, Infinity);
    const before = this.read(step.before);
    const isChanged = isDifferent(before, this.read(step.after));
    const paths = siblingPaths(this.path, changes).filter((path) => path !== this.path);
    if (isChanged || paths.length > 0) this.#kinds.add(kind);
    if (this.isPast) return;
    const verdict: Verdict = isChanged
      ? { reason: 'changed', because: 'it changed the value' }
      : this.#verdictOf(step, { source, paths, changes, before });
    this.#add(step, source, verdict);
  }

  protected override onPast(): void {
    this.#leave(WAITING);
  }

  protected override onDropped(source: Source, { step }: WalkedStep): void {
    if (!this.isPast)
      this.#addWaiting(source, { reason: 'dropped', because: `it left the queue at step ${step}` });
  }

  #verdictOf(
    { kind, rejection, before, after }: WalkedStep,
    { source, paths, changes, before: value }: Judged,
  ): Verdict {
    if (rejection !== undefined) {
      const { reason, where } = rejection;
      const place = where === undefined ? '' : ` at ${where}`;
      const because = `the frame was rejected: ${this.app.describeReason?.(reason) ?? reason}${place}`;
      return { reason: 'rejected', because };
    }
    const { failure } = source;
    if (failure !== undefined)
      return { reason: 'threw', because: `the app’s code threw ${failure.split('\n', 1).join('')}` };
    if (paths.length > 0) return { reason: 'otherPath', because: `it changed ${listOf(paths)}`, paths };
    if (after.counts.dropped !== before.counts.dropped)
      return { reason: 'dropped', because: 'a message was dropped unsent, so no update answers it' };
    const field = value === undefined ? undefined : placeWith(contentOf(source.record), this.#name, value);
    if (field !== undefined) {
      const because = `its field ${field} has the value that was already there`;
      return { reason: 'sameValue', because, field };
    }
    // Every step changes the counts.
    const others = changes.map(({ path }) => path).filter((path) => !/^(?:counts|queue)\b/.test(path));
    return kind === 'ignored' || others.length === 0
      ? { reason: 'ignored', because: 'the reducer returned the same state' }
      : { reason: 'otherValues', because: `it changed other values only: ${listOf(others)}`, paths: others };
  }

  /** Adds the updates that wait at the moment. */
  #leave(verdict: Verdict): void {
    for (const source of this.waiting) this.#addWaiting(source, verdict);
  }

  #addWaiting(source: Source, verdict: Verdict): void {
    const { record, step, updateKind } = source;
    this.#add({ step, kind: 'received', t: record.t, updateKind }, source, verdict);
  }

  #add(step: Passed, source: Source, verdict: Verdict): void {
    // No update answers a message that was dropped unsent.
    const isUnsent = verdict.reason === 'dropped' && step.after !== undefined;
    this.#possible.push({
      candidate: { ...describedStep(this.app, step, source), ...verdict },
      kind: isUnsent ? ANY_KIND : kindOf(step.updateKind, source.record),
      isNamed: this.#isNamed(source.record, step.release?.update),
    });
  }

  /** Returns whether the name of the value is in a received frame or an action, or in the action of a store. */
  #isNamed(record: CaptureRecord, update: unknown): boolean {
    const name = this.#quotedName;
    if (isFrameRecord(record) && record.data.includes(name)) return true;
    if (record.type === 'action') return JSON.stringify(record).includes(name);
    return this.app.describeRelease !== undefined && JSON.stringify(update ?? null).includes(name);
  }
}

/** What a verdict depends on. */
interface Judged {
  readonly source: Source;
  readonly changes: readonly Change[];
  /** The same value in other items, of those that changed. */
  readonly paths: readonly string[];
  readonly before: unknown;
}

/** The number of paths that are named. */
const MOST_PATHS = 3;

const listOf = (paths: readonly string[]): string =>
  paths.slice(0, MOST_PATHS).join(', ') +
  (paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '');
