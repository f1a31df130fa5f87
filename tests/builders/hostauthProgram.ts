import { join } from 'node:path';

/** Returns the path of a program of hostauth that `npm run build` has built. */
export const hostauthProgram = (name: 'hostauth' | 'http' | 'helper' | 'pamChild'): string =>
  join(import.meta.dirname, '../../out/hostauth', `${name}.js`);
