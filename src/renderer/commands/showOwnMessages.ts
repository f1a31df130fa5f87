import type { ParleyBridge } from '#shared/ipc/channels.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import { scrollFor } from '#ui/useListHandle.ts';

interface Store {
  readonly getState: () => Pick<ShownState, 'connection' | 'preferences'>;
}

/**
 * Returns the bridge that also shows the end of the conversation when this window sends a message: with the preference `stayWhereIRead`, the update that
 * returns it does not scroll. Without a connection the message is dropped (spec §7), and nothing moves.
 */
export const showOwnMessages = (parley: ParleyBridge, { getState }: Store): ParleyBridge => ({
  ...parley,
  send(channel, ...args) {
    parley.send(channel, ...args);
    const { connection, preferences } = getState();
    if (channel !== 'message' || !preferences.stayWhereIRead || connection.status !== 'connected') return;
    const log = document.querySelector<HTMLElement>('[role="log"]');
    if (log !== null) scrollFor(log, { top: log.scrollHeight });
  },
});
