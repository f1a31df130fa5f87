/** Work that pauses now and then, so that somebody else has a turn; it need not be gone on with. */
export type Task<T> = Generator<void, T>;

/** A task's result, without a pause. */
export function done<T>(task: Task<T>): T {
  for (;;) {
    const { done: isDone, value } = task.next();
    if (isDone) return value;
  }
}
