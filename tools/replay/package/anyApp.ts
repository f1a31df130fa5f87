import { sessionOf } from '../engine/appSession.ts';
import { UsageError } from '../base/errors.ts';
import type { ToolApp } from '../engine/toolApp.ts';

/** The installed package replays no app of its own: `--app`, or an adapter in the working folder, names it. */
export const anyApp: ToolApp = {
  adapter: sessionOf({
    name: 'app',
    decode: () => ({ rejected: 'no adapter' }),
    kind: () => 'update',
    initialState: null,
    reduce: (state) => state,
  }),
  findsAdapter: true,
  loadRevision: () => Promise.reject(new UsageError('name the adapter of your app with --app')),
};
