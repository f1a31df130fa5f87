import { resolve } from 'node:path';

/** The folder with package.json. */
export const CHECKOUT = resolve(import.meta.dirname, '..', '..', '..', '..');
