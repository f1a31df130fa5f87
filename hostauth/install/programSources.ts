import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { ProgramSources } from './programFolder.ts';

/** What runs now: this Node, the built programs beside this one, and the PAM binding that they load. */
export const programSources = (): ProgramSources => ({
  node: process.execPath,
  bundles: import.meta.dirname,
  binding: dirname(createRequire(import.meta.url).resolve('authenticate-pam/package.json')),
});
