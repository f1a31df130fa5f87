import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { Change } from '../diff/valueDiff.ts';
import type { SessionState } from '../engine/sessionAdapter.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import type { WalkedStep } from '../inspector/model/trace/stepWalker.ts';
import { isFrameRecord } from '../inspector/model/trace/steps.ts';
import { isDifferent, valueReader } from '../inspector/model/trace/valuePath.ts';
import type { LinePlace } from '../read/captureDecoder.ts';
import { contentOf, lastName, placeWith } from './frameField.ts';
import { siblingPaths } from './siblingPaths.ts';
import { type Source, SessionWalk } from './sessionWalk.ts';
import { type DescribedStep, type Point, describedStep, isAfter, typeOf } from './valueHistory.ts';

/** Why a step did not change a value. */
export const REASON_NAMES = [
  'changed',
  'rejected',
  'threw',
  'otherPath',
  'sameValue',
  'ignored',
  'otherValues',
  'waiting',
  'dropped',
] as const;

type Reason = (typeof REASON_NAMES)[number];

/** A step that could have changed a value, and why it did not. */
export interface Candidate extends DescribedStep {
  readonly reason: Reason;
  /** The reason in words. */
  readonly because: string;
  /** The paths that it changed instead. */
  readonly paths?: readonly string[];
  /** The path of the field within the frame that has the value already. */
  readonly field?: string;
}

type Verdict = Pick<Candidate, 'reason' | 'paths' | 'field'> & {
  readonly detail?: string | undefined;
  readonly group?: string;
};

/** A candidate if its kind is one that changes the value: that is known at the end. */
type Possible = Candidate & { readonly group: string; readonly isNamed: boolean };

/**
 * Finds the steps that could have changed the value at a path: those of a kind that changes it, in this item or in another one, and the frames and actions
 * that contain its name.
 */
export class WhyNot {
  readonly #app: InspectedApp;
  readonly #path: string;
  readonly #name: string;
  readonly #at: Point;
  readonly #walk: SessionWalk;
  readonly #read: (state: SessionState) => unknown;
  readonly #possible: Possible[] = [];
  /** The kinds of the steps that changed the value, here or elsewhere. */
  readonly #kinds = new Set<string>();
  #end = { step: 0, t: 0 };
  #state: SessionState;
  #isPast = false;

  /** @throws {SessionError} when the path does not begin with a name of the state. */
  constructor(app: InspectedApp, path: string, at: Point = { step: Infinity }) {
    this.#app = app;
    this.#path = path;
    this.#name = JSON.stringify(lastName(path));
    this.#at = at;
    this.#read = valueReader(app, path);
    this.#state = app.initialState;
    this.#walk = new SessionWalk(app, {
      onStep: (step, source, failure) => this.#take(step, source, failure),
      onDropped: (source, { step }) => {
        if (!this.#isPast)
          this.#addWaiting(source, { reason: 'dropped', detail: `it left the queue at step ${step}` });
      },
    });
  }

  /** The last step up to the moment, its time and the state and the value after it. */
  get end() {
    return { ...this.#end, state: this.#state, value: this.#read(this.#state) };
  }

  /** Whether no further step counts: later steps still show which kinds change the value. */
  get isDone(): boolean {
    return this.#walk.isOver;
  }

  /** Takes the next record, after the updates that are due before it. */
  take(record: CaptureRecord, place?: LinePlace): void {
    this.#walk.take(record, place);
  }

  /** Releases the updates that are due before a record (by default: all), but at most `most`; returns whether there are more of them. */
  pass(record?: CaptureRecord, most?: number): boolean {
    return this.#walk.pass(record, most);
  }

  /** Returns the steps up to the moment that could have changed the value, the newest first; call it after the last record. */
  candidates(): readonly Candidate[] {
    if (!this.#isPast) this.#leave(this.#walk.waiting, this.#walk.isOver ? LOST : { reason: 'waiting' });
    this.#isPast = true;
    // A person who names a moment asks about its step.
    const asked = Object.values(this.#at).every(Number.isFinite) ? this.#end.step : undefined;
    return this.#possible
      .filter(
        ({ isNamed, group, step }) =>
          isNamed || step === asked || this.#kinds.has(group) || (group === DROPPED && this.#kinds.size > 0),
      )
      .sort((a, b) => b.step - a.step)
      .map(({ group: _group, isNamed: _isNamed, ...candidate }) => candidate);
  }

  #take(step: WalkedStep, source: Source, failure: string | undefined): void {
    if (!this.#isPast && isAfter(step, this.#at))
      this.#leave(this.#waitingBefore(step, source), { reason: 'waiting' });
    this.#isPast ||= isAfter(step, this.#at);
    if (step.kind === 'received' || step.kind === 'sent') {
      if (!this.#isPast) this.#pass(step);
      return;
    }
    const group = groupOf(step);
    const changes = step.before === step.after ? [] : this.#app.changes(step.before, step.after, Infinity);
    const before = this.#read(step.before);
    const isChanged = isDifferent(before, this.#read(step.after));
    const paths = siblingPaths(this.#path, changes).filter((path) => path !== this.#path);
    if (isChanged || paths.length > 0) this.#kinds.add(group);
    if (this.#isPast) return;
    this.#pass(step);
    const verdict = isChanged
      ? { reason: 'changed' as const }
      : this.#verdictOf({ step, source, failure, paths, changes, before });
    if (verdict !== undefined) this.#add({ ...step, failure }, source, { group, ...verdict });
  }

  #pass({ step, t, after }: WalkedStep): void {
    this.#end = { step, t };
    this.#state = after;
  }

  /** Returns the updates that waited before a step. */
  #waitingBefore({ release, step, kind }: WalkedStep, source: Source): readonly Source[] {
    const waiting = this.#walk.waiting.filter((one) => one.step !== step);
    return release !== undefined && release.record === undefined && kind !== 'received'
      ? [source, ...waiting]
      : waiting;
  }

  #verdictOf({ step, source, failure, paths, changes, before }: Judged): Verdict | undefined {
    const { kind, rejection } = step;
    if (rejection !== undefined) return this.#rejected(step, source);
    if (failure !== undefined)
      return { reason: 'threw', detail: `the app’s code threw ${failure.split('\n', 1).join('')}` };
    if (paths.length > 0) return { reason: 'otherPath', paths };
    if (step.after.counts.dropped !== step.before.counts.dropped)
      return {
        reason: 'dropped',
        detail: 'a message was dropped unsent, so no update answers it',
        group: DROPPED,
      };
    const field =
      before === undefined ? undefined : placeWith(contentOf(source.record), lastName(this.#path), before);
    if (field !== undefined) return { reason: 'sameValue', field };
    // Every step changes the counts.
    const others = changes.map(({ path }) => path).filter((path) => !/^(?:counts|queue)\b/.test(path));
    return kind === 'ignored' || others.length === 0
      ? { reason: 'ignored' }
      : { reason: 'otherValues', paths: others };
  }

  #rejected({ rejection }: WalkedStep, { record }: Source): Verdict | undefined {
    if (rejection === undefined || !isFrameRecord(record)) return undefined;
    const { reason, where } = rejection;
    const place = where === undefined ? '' : ` at ${where}`;
    return {
      reason: 'rejected',
      detail: `the frame was rejected: ${this.#app.describeReason?.(reason) ?? reason}${place}`,
    };
  }

  /** Adds the updates that wait at the moment. */
  #leave(waiting: readonly Source[], verdict: Verdict): void {
    for (const source of waiting) this.#addWaiting(source, verdict);
  }

  #addWaiting(source: Source, verdict: Verdict): void {
    const { record, step, updateKind } = source;
    const received = { step, kind: 'received' as const, t: record.t, updateKind };
    this.#add(received, source, { group: groupOf(received), ...verdict });
  }

  #add(
    step: Parameters<typeof describedStep>[1],
    source: Source,
    about: Verdict & { readonly group: string },
  ): void {
    const { group, detail, ...verdict } = about;
    this.#possible.push({
      ...describedStep(this.#app, step, source),
      ...verdict,
      because: becauseOf({ ...verdict, detail }),
      group,
      isNamed: this.#isNamed(step.release?.update, source.record),
    });
  }

  /** Returns whether the name of the value is in a received frame or an action, or in the action of a store. */
  #isNamed(update: unknown, record: CaptureRecord): boolean {
    if (isFrameRecord(record) && record.data.includes(this.#name)) return true;
    if (record.type === 'action') return JSON.stringify(record).includes(this.#name);
    return this.#app.describeRelease !== undefined && JSON.stringify(update ?? null).includes(this.#name);
  }
}

/** What a verdict depends on. */
interface Judged {
  readonly step: WalkedStep;
  readonly source: Source;
  readonly failure: string | undefined;
  readonly changes: readonly Change[];
  /** The same value in other items, of those that changed. */
  readonly paths: readonly string[];
  readonly before: unknown;
}

const DROPPED = 'dropped message';
const LOST: Verdict = { reason: 'dropped', detail: 'it still waited when the session ended' };

/** Returns what steps of a kind have in common: the kind of their update, or the type of their action. */
const groupOf = ({ updateKind, ...step }: Pick<WalkedStep, 'updateKind'> & Partial<WalkedStep>): string =>
  updateKind === undefined ? `record ${typeOf(step)}` : `update ${updateKind}`;

/** The number of paths that are named. */
const MOST_PATHS = 3;

/** Says a reason in words; those that need the app's words have a detail. */
function becauseOf({ reason, paths = [], field = '', detail }: Verdict): string {
  const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : '';
  const named = `${paths.slice(0, MOST_PATHS).join(', ')}${more}`;
  switch (reason) {
    case 'changed':
      return 'it changed the value';
    case 'otherPath':
      return `it changed ${named}`;
    case 'sameValue':
      return `its field ${field} has the value that was already there`;
    case 'ignored':
      return 'the reducer returned the same state';
    case 'otherValues':
      return `it changed other values only: ${named}`;
    case 'waiting':
      return 'it still waited in the queue';
    case 'rejected':
    case 'threw':
    case 'dropped':
      return detail ?? reason;
    default:
      return reason satisfies never;
  }
}
