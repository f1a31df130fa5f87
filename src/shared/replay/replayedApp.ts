import { parleyAdapter } from './adapter.ts';

/** Parley as the module of an adapter: bundled alone, a program can load it as that of any other app. */
export const adapter = parleyAdapter();
