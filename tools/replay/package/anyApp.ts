import { UsageError } from '../base/errors.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { sessionOf } from '../engine/appSession.ts';
import type { ToolApp } from '../adapter/toolApp.ts';
import { adapterApp } from '../inspector/model/apps/adapter.ts';

const noApp: AppAdapter = {
  name: 'app',
  decode: () => ({ rejected: 'no adapter' }),
  kind: () => 'update',
  initialState: null,
  reduce: (state) => state,
};

/** The installed package replays no app of its own: `--app`, or an adapter in the working folder, names it. */
export const anyApp: ToolApp = {
  adapter: sessionOf(noApp),
  inspected: adapterApp(noApp),
  findsAdapter: true,
  loadRevision: () => Promise.reject(new UsageError('name the adapter of your app with --app')),
};
