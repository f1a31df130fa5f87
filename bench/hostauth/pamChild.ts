import { join } from 'node:path';

/** The built PAM process. */
export const PAM_CHILD = join(import.meta.dirname, '..', 'hostauth', 'pamChild.js');
