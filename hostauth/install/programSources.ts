import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { ProgramSources } from './programFolder.ts';

/** Returns the programs that run now: this Node, the built programs beside this one, and their PAM binding. */
export const programSources = (): ProgramSources => ({
  node: process.execPath,
  bundles: import.meta.dirname,
  binding: dirname(createRequire(import.meta.url).resolve('authenticate-pam/package.json')),
});
