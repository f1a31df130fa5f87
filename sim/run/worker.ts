/** A process of the simulation: it runs the histories of the seeds that it is sent. */
import { type LoadProgram, programLoader } from '../programs/loadProgram.ts';
import { type HistoryResult, runHistory } from './runHistory.ts';

/** Each seed with this remainder runs twice: both histories must have the same hash. */
const TWICE = 50;

/** Runs the history of a seed; now and then twice, which must give the same hash. */
async function runChecked(seed: number, load: LoadProgram): Promise<HistoryResult> {
  const result = await runHistory(seed, load);
  if (seed % TWICE !== 0) return result;
  const { hash } = await runHistory(seed, load);
  if (hash === result.hash) return result;
  const text = `the history is not the same when it runs again: ${result.hash}, then ${hash}`;
  return { ...result, failures: [...result.failures, { check: 0, text, at: 0 }] };
}

// Redux reads the environment at each action, which takes a call of the system's library.
process.env = { ...process.env };
const load = programLoader();
/** One history after the other: they share the process's globals. */
let last = Promise.resolve();
process.on('message', ({ seed }: { readonly seed: number }) => {
  last = last.then(async () => void process.send?.(await runChecked(seed, load)));
});
process.on('disconnect', () => process.exit());
