/**
 * Throws an error in a task of its own. For a listener that a library calls: the library's work goes on, and the error
 * reaches the program's last-resort handler.
 */
export function throwLater(error: unknown): void {
  void Promise.resolve().then(() => {
    throw error;
  });
}
