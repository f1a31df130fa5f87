/** How long a scenario runs: `short` takes seconds and is a test, `long` takes minutes and measures figures. */
export type Length = 'short' | 'long';

/** One assertion about behaviour. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  /** The observed value, or an error. */
  readonly detail: string;
}

/** One measured value. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** What the runner passes to a scenario. */
export interface Soak {
  readonly length: Length;
  readonly seed: number;
  /** Returns numbers in [0, 1). The same seed and scenario give the same numbers. */
  readonly random: () => number;
  /** The folder of the built programs that are tested. */
  readonly programs: string;
  /** Aborted when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Shows on stderr what the scenario does now. */
  showProgress(text: string): void;
  /** Records an assertion. When it fails, the scenario continues and its outcome is `failed`. */
  check(name: string, passed: boolean, detail?: string | number): void;
  /**
   * Calls a probe until it finds something, and returns what it found. Records the result as an assertion.
   * @throws {CheckError} when the probe has found nothing after `seconds`: the scenario cannot continue.
   */
  waitFor<T>(name: string, seconds: number, probe: Probe<T>): Promise<T>;
  /** Records a measured value, in place of an earlier one with this name. */
  addFigure(name: string, value: number, unit: string): void;
  /** Runs a task after the scenario, whatever its outcome. The last task runs first. */
  defer(task: () => unknown): void;
  /**
   * Ends the scenario because this machine cannot run it.
   * @throws {SkipError} always.
   */
  skip(reason: string): never;
}

/** Looks for something once; returns `undefined` or `false` when it has not found it. */
export type Probe<T> = () => T | undefined | false | Promise<T | undefined | false>;

/** One scenario. `soak/scenarios/scenarios.ts` lists all of them. */
export interface Scenario {
  /** Its name for `--only`, and the name of its JSON file. */
  readonly name: string;
  readonly sentence: string;
  readonly parameters: Readonly<Record<Length, object>>;
  run(soak: Soak): Promise<void>;
}

/** Defines a scenario with its parameters for both lengths. */
export const scenario = <P extends object>(definition: {
  readonly name: string;
  readonly sentence: string;
  readonly short: P;
  readonly long: P;
  run(soak: Soak, parameters: P): Promise<void>;
}): Scenario => {
  const { name, sentence, short, long, run } = definition;
  return {
    name,
    sentence,
    parameters: { short, long },
    run: (soak) => run(soak, soak.length === 'short' ? short : long),
  };
};

/** A failed assertion after which the scenario cannot continue. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}

/** This machine cannot run the scenario. */
export class SkipError extends Error {
  override readonly name = 'SkipError';
}

/** The run was interrupted. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** The result of a scenario. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly sentence: string;
  readonly length: Length;
  readonly seed: number;
  readonly parameters: object;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'interrupted';
  /** Why it was skipped; empty for another outcome. */
  readonly note: string;
  readonly seconds: number;
  readonly checks: readonly Check[];
  readonly figures: readonly Figure[];
}
