import { join } from 'node:path';

/** The bundle of PAM's process, beside that of the benchmarks. */
export const PAM_CHILD = join(import.meta.dirname, '..', 'hostauth', 'pamChild.js');
