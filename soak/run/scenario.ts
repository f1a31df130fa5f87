/** How long a scenario runs: `short` in seconds for every test run, `long` in minutes for figures. */
export type Length = 'short' | 'long';

/** One assertion about behaviour. */
export interface Check {
  readonly name: string;
  readonly passed: boolean;
  /** What was seen. */
  readonly detail: string;
}

/** One measured value. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** What a scenario is given. */
export interface Soak {
  readonly length: Length;
  readonly seed: number;
  /** Numbers in [0, 1), the same for the same seed and scenario. */
  readonly random: () => number;
  /** The folder of the built programs that are tested. */
  readonly programs: string;
  /** Aborted when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Says on stderr what happens now. */
  progress(text: string): void;
  /** Records an assertion. A failed one fails the scenario, which continues. */
  check(name: string, passed: boolean, detail?: string | number): void;
  /**
   * Looks until there is something and records that as an assertion; gives what was found.
   * @throws {CheckError} after that many seconds: the rest of the scenario cannot be run.
   */
  within<T>(name: string, seconds: number, look: Look<T>): Promise<T>;
  figure(name: string, value: number, unit: string): void;
  /** Runs a task when the scenario has ended, whatever its outcome; the last one first. */
  defer(task: () => unknown): void;
  /**
   * Ends the scenario: this machine cannot run it.
   * @throws {SkipError} always.
   */
  skip(why: string): never;
}

/** Gives what is waited for; `undefined` or `false` while it is not there. */
export type Look<T> = () => T | undefined | false | Promise<T | undefined | false>;

/** One scenario, in a file of its own; `soak/scenarios/scenarios.ts` has the list. */
export interface Scenario {
  /** For `--only`, and the name of its JSON file. */
  readonly name: string;
  readonly sentence: string;
  readonly parameters: Readonly<Record<Length, object>>;
  run(soak: Soak): Promise<void>;
}

/** A scenario with its parameters for both lengths. */
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

/** An assertion failed, and the scenario cannot continue without it. */
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

/** What a scenario found. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly sentence: string;
  readonly length: Length;
  readonly seed: number;
  readonly parameters: object;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'interrupted';
  /** Why it was skipped. */
  readonly note: string;
  readonly seconds: number;
  readonly checks: readonly Check[];
  readonly figures: readonly Figure[];
}
