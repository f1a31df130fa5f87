/** Work that pauses regularly so that other work can run; it can be abandoned. */
export type Task<T> = Generator<void, T>;

/** Runs a task without pauses and returns its result. */
export function runTask<T>(task: Task<T>): T {
  for (;;) {
    const { done: isDone, value } = task.next();
    if (isDone) return value;
  }
}

/** The result of a task. */
export type TaskResult<T> = T extends Generator<unknown, infer Result> ? Result : never;
