import type { AppAdapter } from '../engine/appAdapter.ts';

/** Returns the names of the fields of another app whose texts stay; `undefined` for Parley. */
export const codesOf = (adapter: AppAdapter | undefined): ReadonlySet<string> | undefined =>
  adapter && new Set(adapter.redact?.codes);
