import type { SessionState } from '../../../engine/sessionAdapter.ts';
import { STEP_KINDS, type StepKind } from './stepKinds.ts';

/** The number of steps between two stored states. Each costs memory for its changes; a jump replays half as many. */
export const CHECKPOINT_STEPS = 256;

/** A step, as the trace keeps it. */
export type Step = Pick<StoredStep, keyof StoredStep>;

/** A step that is added; by default, it has done nothing. */
type NewStep = Pick<Step, 'kind' | 't' | 'record'> & Partial<Step>;

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
  /** The texts that steps have, each once; copies of the list share them. */
  texts: new TextTable(),
  failures: new Map<number, string>(),
  states: new Array<SessionState>(),
  /** Of each interval of {@link CHECKPOINT_STEPS} steps, a bit for each name of a value that may have changed in it. */
  touched: new Array<number>(),
});

/** A list of steps that only grows. They are kept in columns of numbers, because two million objects would need another 200 MB. */
export class Steps {
  readonly #columns;

  constructor(columns = newColumns()) {
    this.#columns = columns;
  }

  get length(): number {
    return this.#columns.bits.length;
  }

  /** Returns a step; `undefined` when it does not exist. */
  at(step: number): Step | undefined {
    return step >= 0 && step < this.length ? new StoredStep(this.#columns, step) : undefined;
  }

  push(step: NewStep): void {
    const { bits, t, record, taken, updates, waiting, updateKind, field, texts, failures, states } =
      this.#columns;
    const { kind, isChanged, isError, isConnected, failure, state } = step;
    if (failure !== undefined) failures.set(this.length, failure);
    if (state !== undefined) states.push(state);
    const flags = (isChanged ? CHANGED : 0) | (isError ? ERROR : 0) | (isConnected ? CONNECTED : 0);
    bits.push(STEP_KINDS.indexOf(kind) | flags);
    t.push(step.t);
    record.push(step.record);
    taken.push(step.taken ?? 0);
    updates.push(step.updates ?? 0);
    waiting.push(step.waiting ?? 0);
    updateKind.push(texts.numberOf(step.updateKind));
    field.push(texts.numberOf(step.field));
  }

  /** Notes which values may have changed in the last step: a bit for each name. */
  touch(names: number): void {
    const interval = intervalOf(this.length - 1);
    this.#columns.touched[interval] = (this.#columns.touched[interval] ?? 0) | names;
  }

  /** Returns whether a value may have changed in an interval. @param index that of its name. */
  isTouched(interval: number, index: number): boolean {
    return ((this.#columns.touched[interval] ?? 0) & (1 << index)) !== 0;
  }

  /** Returns an independent copy of the first steps. */
  copy(length: number): Steps {
    const { texts, failures, states, touched, ...columns } = this.#columns;
    return new Steps({
      bits: columns.bits.copy(length),
      t: columns.t.copy(length),
      record: columns.record.copy(length),
      taken: columns.taken.copy(length),
      updates: columns.updates.copy(length),
      waiting: columns.waiting.copy(length),
      updateKind: columns.updateKind.copy(length),
      field: columns.field.copy(length),
      texts,
      failures: new Map([...failures].filter(([step]) => step < length)),
      states: states.slice(0, Math.ceil(length / CHECKPOINT_STEPS)),
      touched: touched.slice(0, intervalOf(length - 1) + 1),
    });
  }
}

/** Returns the number of the interval of a step: the state before the first step of an interval is stored. */
export const intervalOf = (step: number): number => Math.max(0, Math.floor((step - 1) / CHECKPOINT_STEPS));

/** A step that reads its fields when they are needed: a filter of two million steps needs two of them. */
class StoredStep {
  readonly #columns: ReturnType<typeof newColumns>;
  readonly #step: number;

  constructor(columns: ReturnType<typeof newColumns>, step: number) {
    this.#columns = columns;
    this.#step = step;
  }

  get kind(): StepKind {
    return STEP_KINDS[this.#columns.bits.at(this.#step) & KIND] ?? 'other';
  }

  get t(): number {
    return this.#columns.t.at(this.#step);
  }

  /** The index of its record; of an update at its tick, that of its frame. */
  get record(): number {
    return this.#columns.record.at(this.#step);
  }

  /** The number of records taken after it. */
  get taken(): number {
    return this.#columns.taken.at(this.#step);
  }

  /** The number of updates released after it. */
  get updates(): number {
    return this.#columns.updates.at(this.#step);
  }

  /** The number of updates that wait after it. */
  get waiting(): number {
    return this.#columns.waiting.at(this.#step);
  }

  get updateKind(): string | undefined {
    return this.#columns.texts.at(this.#columns.updateKind.at(this.#step));
  }

  /** The field that it edits, with its window. */
  get field(): string | undefined {
    return this.#columns.texts.at(this.#columns.field.at(this.#step));
  }

  /** Whether it changed what a person sees. */
  get isChanged(): boolean {
    return this.#has(CHANGED);
  }

  /** Whether it is an error: a rejected frame, an unexpected close, or an exception of the app's code. */
  get isError(): boolean {
    return this.#has(ERROR);
  }

  get isConnected(): boolean {
    return this.#has(CONNECTED);
  }

  /** The stack of an exception of the app's code. */
  get failure(): string | undefined {
    return this.#columns.failures.get(this.#step);
  }

  /** The state after it, at every {@link CHECKPOINT_STEPS} steps. */
  get state(): SessionState | undefined {
    const { states } = this.#columns;
    return this.#step % CHECKPOINT_STEPS === 0 ? states[this.#step / CHECKPOINT_STEPS] : undefined;
  }

  #has(bit: number): boolean {
    return (this.#columns.bits.at(this.#step) & bit) !== 0;
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

/** The number of values in a part of a column, as a power of 2. */
const BITS = 12;
const PART = 1 << BITS;
const MASK = PART - 1;

/** A list of numbers that only grows. It consists of parts: it grows without being copied, and copies share the full parts. */
class Column {
  #length = 0;
  readonly #parts: (Uint32Array | Float64Array)[] = [];
  readonly #type: new (length: number) => Uint32Array | Float64Array;

  /** @param type the array of its numbers: integers below 2³², or any numbers. */
  constructor(type: new (length: number) => Uint32Array | Float64Array) {
    this.#type = type;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns the number at an index below the length. */
  at(index: number): number {
    return this.#parts[index >>> BITS]?.[index & MASK] ?? 0;
  }

  push(value: number): void {
    const index = this.#length++;
    const at = index & MASK;
    if (at === 0) this.#parts.push(new this.#type(PART));
    const part = this.#parts[index >>> BITS];
    if (part !== undefined) part[at] = value;
  }

  /** Returns an independent copy of the first numbers. */
  copy(length: number): Column {
    const copy = new Column(this.#type);
    copy.#parts.push(...this.#parts.slice(0, length >>> BITS));
    copy.#length = copy.#parts.length * PART;
    while (copy.#length < length) copy.push(this.at(copy.#length));
    return copy;
  }
}
