import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { type Check, CheckError, type Figure, InterruptedError, type Length } from './scenario.ts';
import { type Probe, type Scenario, type ScenarioResult, SkipError, type Soak } from './scenario.ts';

interface Options {
  readonly length: Length;
  readonly seed: number;
  readonly programs: string;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

const PROBE_EVERY_MS = 20;

/** Runs one scenario, then its deferred tasks. Never rejects. */
export async function runScenario(scenario: Scenario, options: Options): Promise<ScenarioResult> {
  const { length, seed, signal } = options;
  const start = performance.now();
  const recorder = createRecorder(scenario, options);
  const { outcome, note } = await determineOutcome(
    Promise.race([scenario.run(recorder.soak), rejectOnAbort(signal)]),
    recorder,
  );
  await recorder.cleanUp();
  const { checks, figures } = recorder;
  return {
    scenario: scenario.name,
    sentence: scenario.sentence,
    length,
    seed,
    parameters: scenario.parameters[length],
    outcome: outcome === 'passed' && checks.some(({ passed }) => !passed) ? 'failed' : outcome,
    note,
    seconds: (performance.now() - start) / 1000,
    checks,
    figures,
  };
}

type Outcome = Pick<ScenarioResult, 'outcome' | 'note'>;
type Recorder = ReturnType<typeof createRecorder>;

async function determineOutcome(run: Promise<unknown>, { checks }: Recorder): Promise<Outcome> {
  try {
    await run;
    return { outcome: 'passed', note: '' };
  } catch (error) {
    if (error instanceof SkipError) return { outcome: 'skipped', note: error.message };
    if (error instanceof InterruptedError) return { outcome: 'interrupted', note: '' };
    if (!(error instanceof CheckError))
      checks.push({ name: 'the scenario runs to its end', passed: false, detail: firstLines(error) });
    return { outcome: 'failed', note: '' };
  }
}

const firstLines = (error: unknown) =>
  String(error instanceof Error ? (error.stack ?? error.message) : error)
    .split('\n')
    .slice(0, 4)
    .join(' | ')
    .slice(0, 600);

const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const interrupt = () => reject(new InterruptedError('interrupted'));
    if (signal.aborted) interrupt();
    else signal.addEventListener('abort', interrupt, { once: true });
  });

function createRecorder(scenario: Scenario, options: Options) {
  const { length, seed, programs, signal, progress } = options;
  const checks: Check[] = [];
  const figures: Figure[] = [];
  const tasks: (() => unknown)[] = [];

  const check = (name: string, passed: boolean, detail: string | number = '') => {
    // An assertion that is repeated with the same outcome is reported once.
    if (checks.some((known) => known.name === name && known.passed === passed)) return;
    checks.push({ name, passed, detail: String(detail) });
  };
  const soak: Soak = {
    length,
    seed,
    random: seededRandom(seed * 1000 + sumOfCodes(scenario.name)),
    programs,
    signal,
    showProgress: progress,
    check,
    async waitFor(name, seconds, probe) {
      const found = await repeat(seconds, probe, signal);
      check(name, found !== undefined, found === undefined ? `not within ${seconds} s` : '');
      if (found === undefined) throw new CheckError(name);
      return found;
    },
    addFigure(name, value, unit) {
      const known = figures.findIndex((figure) => figure.name === name);
      figures.splice(known === -1 ? figures.length : known, 1, { name, value, unit });
    },
    defer: (task) => void tasks.unshift(task),
    skip(reason) {
      throw new SkipError(reason);
    },
  };
  const cleanUp = async () => {
    for (const task of tasks) {
      try {
        await task();
      } catch (error) {
        check('everything that was started is stopped', false, firstLines(error));
      }
    }
  };
  return { soak, checks, figures, cleanUp };
}

/** Calls a probe until it finds something. Returns `undefined` when it has found nothing after `seconds`. */
async function repeat<T>(seconds: number, probe: Probe<T>, signal: AbortSignal): Promise<T | undefined> {
  const latest = performance.now() + seconds * 1000;
  for (;;) {
    const left = latest - performance.now();
    const timeout = new AbortController();
    const found = await Promise.race([probe(), resolveAfter(left, timeout.signal)]);
    timeout.abort();
    if (found !== undefined && found !== false) return found;
    if (signal.aborted) throw new InterruptedError('interrupted');
    if (performance.now() > latest) return undefined;
    await pause(PROBE_EVERY_MS);
  }
}

/** Resolves to `undefined` after a time in milliseconds: a probe that takes longer has found nothing. */
const resolveAfter = (ms: number, signal: AbortSignal): Promise<undefined> =>
  pause(Math.max(ms, 1), undefined, { signal }).catch(() => undefined);

const sumOfCodes = (text: string) =>
  Array.from(text).reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0);
