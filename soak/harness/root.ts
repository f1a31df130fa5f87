import { join } from 'node:path';

/** The folder of the repository. The same from this file and from the bundle in `out/soak`. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** The folder of the built programs. */
export const PROGRAMS = join(ROOT, 'out');

/** The folder of results and of inputs that made a scenario fail. */
export const SOAK_OUT = join(ROOT, 'soak', 'out');
