import { resolve } from 'node:path';

/** The folder of the repository. The same from this file and from the bundle in `out/electronCheck`. */
export const ROOT = resolve(import.meta.dirname, '../..');
