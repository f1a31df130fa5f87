import type { SessionState } from '../../../engine/sessionAdapter.ts';
import { Column } from './column.ts';
import { STEP_KINDS, type StepKind } from './stepKinds.ts';

/** The number of steps between two stored states. Each costs memory for its changes; a jump replays half as many. */
export const CHECKPOINT_STEPS = 256;

/** A step, as the trace keeps it. */
export interface Step {
  readonly kind: StepKind;
  readonly t: number;
  /** The index of its record; of an update at its tick, that of its frame. */
  readonly record: number;
  /** The numbers of records taken, of updates released and of updates that wait after it. */
  readonly taken: number;
  readonly updates: number;
  readonly waiting: number;
  readonly updateKind: string | undefined;
  /** Whether it changed what a person sees. */
  readonly isChanged: boolean;
  /** Whether it is an error: a rejected frame, an unexpected close, or an exception of the app's code. */
  readonly isError: boolean;
  readonly isConnected: boolean;
  /** The field that it edits, with its window. */
  readonly field: string | undefined;
  /** The stack of an exception of the app's code. */
  readonly failure: string | undefined;
  /** The state after it, at every {@link CHECKPOINT_STEPS} steps. */
  readonly state: SessionState | undefined;
}

/** The bits of a step: those of its kind, and those of what is true of it. */
const KIND = 0x0f;
const CHANGED = 0x10;
const ERROR = 0x20;
const CONNECTED = 0x40;

const integers = () => new Column(Uint32Array);

const newColumns = () => ({
  bits: integers(),
  t: new Column(Float64Array),
  record: integers(),
  taken: integers(),
  updates: integers(),
  waiting: integers(),
  updateKind: integers(),
  field: integers(),
});

/** A list of steps that only grows. They are kept in columns of numbers, because two million objects would need another 200 MB. */
export class Steps {
  #columns = newColumns();
  /** The texts that steps have, each once; copies of the list share them. */
  #texts = new TextTable();
  #failures = new Map<number, string>();
  #states: SessionState[] = [];

  get length(): number {
    return this.#columns.bits.length;
  }

  /** Returns a step; `undefined` when it does not exist. */
  at(step: number): Step | undefined {
    if (!(step >= 0 && step < this.length)) return undefined;
    const columns = this.#columns;
    const bits = columns.bits.at(step);
    return {
      kind: STEP_KINDS[bits & KIND] ?? 'other',
      t: columns.t.at(step),
      record: columns.record.at(step),
      taken: columns.taken.at(step),
      updates: columns.updates.at(step),
      waiting: columns.waiting.at(step),
      updateKind: this.#texts.at(columns.updateKind.at(step)),
      isChanged: (bits & CHANGED) !== 0,
      isError: (bits & ERROR) !== 0,
      isConnected: (bits & CONNECTED) !== 0,
      field: this.#texts.at(columns.field.at(step)),
      failure: this.#failures.get(step),
      state: step % CHECKPOINT_STEPS === 0 ? this.#states[step / CHECKPOINT_STEPS] : undefined,
    };
  }

  push(step: Step): void {
    const columns = this.#columns;
    const { kind, isChanged, isError, isConnected, failure, state } = step;
    if (failure !== undefined) this.#failures.set(this.length, failure);
    if (state !== undefined) this.#states.push(state);
    const bits = (isChanged ? CHANGED : 0) | (isError ? ERROR : 0) | (isConnected ? CONNECTED : 0);
    columns.bits.push(STEP_KINDS.indexOf(kind) | bits);
    columns.t.push(step.t);
    columns.record.push(step.record);
    columns.taken.push(step.taken);
    columns.updates.push(step.updates);
    columns.waiting.push(step.waiting);
    columns.updateKind.push(this.#texts.numberOf(step.updateKind));
    columns.field.push(this.#texts.numberOf(step.field));
  }

  /** Returns an independent copy of the first steps. */
  copy(length: number): Steps {
    const copy = new Steps();
    const columns = this.#columns;
    copy.#columns = {
      bits: columns.bits.copy(length),
      t: columns.t.copy(length),
      record: columns.record.copy(length),
      taken: columns.taken.copy(length),
      updates: columns.updates.copy(length),
      waiting: columns.waiting.copy(length),
      updateKind: columns.updateKind.copy(length),
      field: columns.field.copy(length),
    };
    copy.#texts = this.#texts;
    copy.#failures = new Map([...this.#failures].filter(([step]) => step < length));
    copy.#states = this.#states.slice(0, Math.ceil(length / CHECKPOINT_STEPS));
    return copy;
  }
}

/** A list of different texts, with their numbers; 0 stands for no text. */
class TextTable {
  readonly #texts: (string | undefined)[] = [undefined];
  readonly #numbers = new Map<string | undefined, number>([[undefined, 0]]);

  at(number: number): string | undefined {
    return this.#texts[number];
  }

  /** Returns the number of a text; adds the text if it is new. */
  numberOf(text: string | undefined): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }
}
