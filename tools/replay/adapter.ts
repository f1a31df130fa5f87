/** The public interface of adapters (package/adapters.md): the replay tool replays the frames of any app with one. */
export type { AppAction, AppAdapter, DecodedFrame, Pane, RedactionRules } from './engine/appAdapter.ts';
export type { StoreAdapter, StoreClock, StoreClose, StoreDeps } from './store/storeAdapter.ts';
export type {
  Notification,
  Rejection,
  SessionAdapter,
  SessionState,
  StateReports,
  TakenRecord,
  WaitingUpdate,
} from './engine/sessionAdapter.ts';
