import type { Clock } from '#shared/clock.ts';
import { type Step, createSteps } from '#ui/export/createSteps.ts';
import type { Work, Works } from '#ui/window/base/WindowCommands.ts';

/** Work is shown after this time, in milliseconds: most work ends before. */
const SHOWN_AFTER_MS = 300;

/** A piece of work: it awaits `step` after each of its parts, and ends with an error soon after `signal` is aborted. */
type Job = (step: Step, signal: AbortSignal) => Promise<void>;

/** How work ended. */
type WorkOutcome = 'done' | 'cancelled' | 'failed';

/** The long work of a window. */
interface WorkList extends Works {
  /** Starts work; resolves to how it ended. */
  run(name: string, job: Job): Promise<WorkOutcome>;
  /** Cancels all work. */
  cancel(): void;
}

/** Creates the list of a window's work, which is empty. */
export function createWorkList(clock: Pick<Clock, 'after'>): WorkList {
  const listeners = new Set<() => void>();
  const aborts = new Set<AbortController>();
  let works: readonly Work[] = [];
  let lastId = 0;
  const show = (changed: readonly Work[]) => {
    works = changed;
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => works,
    cancel: () => aborts.forEach((abort) => abort.abort()),
    async run(name, job) {
      const id = ++lastId;
      const abort = new AbortController();
      const begun: Work = { id, name, done: 0, of: 0, cancel: () => abort.abort() };
      const onProgress = (done: number, of: number) => {
        if (works.some((one) => one.id === id))
          show(works.map((one) => (one.id === id ? { ...begun, done, of } : one)));
      };
      aborts.add(abort);
      const hide = clock.after(SHOWN_AFTER_MS, () => show([...works, begun]));
      try {
        await job(createSteps({ onProgress, signal: abort.signal }), abort.signal);
        return 'done';
      } catch (error) {
        if (abort.signal.aborted) return 'cancelled';
        console.warn(`${name}: failed`, error);
        return 'failed';
      } finally {
        hide();
        aborts.delete(abort);
        show(works.filter((one) => one.id !== id));
      }
    },
  };
}
