import { setTimeout as pause } from 'node:timers/promises';
import type { Soak } from '../../run/scenario.ts';
import type { Hostauth } from './startHostauth.ts';
import { readProcessMemory } from '../../harness/readProcessMemory.ts';
import { fitSlope } from '../../harness/fitSlope.ts';

const SAMPLES = 20;

/** The limits of the memory of a process. */
interface MemoryLimits {
  /** How long memory is measured. */
  readonly seconds: number;
  /** What may be held more after each minute, after garbage collections. MB. */
  readonly slopeMb: number;
  /** How much more resident memory a process may have in the last quarter than in the second. MB. */
  readonly growthMb: number;
}

/** Measures the memory, in MB. `held` is measured after a garbage collection. */
const takeSample = async ({ http, helper, pamPids }: Hostauth) => ({
  'http, held': await http.held(),
  'helper, held': await helper.held(),
  'http, resident': readProcessMemory(http.pid).resident,
  'helper, resident': readProcessMemory(helper.pid).resident,
  /** Of the largest one. */
  'PAM, resident': Math.max(0, ...pamPids().map((pid) => readProcessMemory(pid).resident)),
});

type Sample = Awaited<ReturnType<typeof takeSample>> & { readonly minute: number };

/** Asserts that no process grows during that time. The first quarter, when code is compiled and caches fill, does not count. */
export async function checkMemory(soak: Soak, hostauth: Hostauth, limits: MemoryLimits): Promise<void> {
  const { seconds, slopeMb, growthMb } = limits;
  const samples: Sample[] = [];
  const startedAt = performance.now();
  for (let index = 1; index <= SAMPLES; index++) {
    const due = startedAt + (index / SAMPLES) * seconds * 1000;
    await pause(Math.max(0, due - performance.now()));
    const sample = { ...(await takeSample(hostauth)), minute: (performance.now() - startedAt) / 60_000 };
    samples.push(sample);
    const parts = Object.entries(sample).map(([name, value]) => `${name} ${value.toFixed(1)}`);
    soak.showProgress(`${index} of ${SAMPLES}: ${parts.join('; ')}`);
  }
  const settled = samples.slice(SAMPLES / 4);
  for (const part of ['http, held', 'helper, held'] as const) {
    const slope = fitSlope(settled.map((sample) => [sample.minute, sample[part]]));
    soak.addFigure(`${part} at the end`, samples.at(-1)?.[part] ?? 0, 'MB');
    soak.addFigure(`${part}: growth`, slope, 'MB/min');
    soak.check(`${part}: grows by less than ${slopeMb} MB a minute`, slope < slopeMb, slope.toFixed(2));
  }
  for (const part of ['http, resident', 'helper, resident', 'PAM, resident'] as const) {
    const quarter = SAMPLES / 4;
    const meanOf = (from: number) =>
      samples.slice(from, from + quarter).reduce((sum, sample) => sum + sample[part], 0) / quarter;
    const growth = meanOf(3 * quarter) - meanOf(quarter);
    soak.addFigure(`${part} at the end`, samples.at(-1)?.[part] ?? 0, 'MB');
    soak.addFigure(`${part}: growth from the second quarter to the last`, growth, 'MB');
    soak.check(`${part}: grows by less than ${growthMb} MB`, growth < growthMb, growth.toFixed(1));
  }
}
