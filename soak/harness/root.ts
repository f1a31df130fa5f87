import { join } from 'node:path';

/** The repository, from this file and from the bundle in `out/soak`. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** The built programs of this repository. */
export const PROGRAMS = join(ROOT, 'out');

/** Where results and found inputs are written. */
export const SOAK_OUT = join(ROOT, 'soak', 'out');
