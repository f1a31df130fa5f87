import { stat } from 'node:fs/promises';

/** Returns whether two paths lead to the same file; `false` when either is missing. */
export async function isSameFile(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => stat(path).catch(() => undefined)));
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino;
}
