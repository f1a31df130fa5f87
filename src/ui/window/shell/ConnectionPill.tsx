import { useSelector } from 'react-redux';
import type { ConnectionState } from '#shared/store/connection.ts';
import { selectConnection, selectWasConnected } from '#shared/store/selectors.ts';
import { useLive } from '../base/Picture.ts';

/** Shows the state of the connection in a word; screen readers announce changes. */
export function ConnectionPill() {
  const connection = useSelector(selectConnection);
  const wasConnected = useSelector(selectWasConnected);
  const live = useLive();
  // The bar announces a lost connection.
  const isLost = connection.closedBecause !== null || connection.retryAt !== undefined;
  return (
    <p className="pill" data-status={connection.status} aria-live={isLost ? 'off' : live}>
      {describeConnection(connection, wasConnected)}
    </p>
  );
}

/** Returns the text for the state of the connection (spec §3.2). */
function describeConnection(
  { status, closedBecause }: ConnectionState,
  wasConnected: boolean,
): 'Connected' | 'Connecting…' | 'Reconnecting…' | 'Disconnected' {
  if (status === 'connected') return 'Connected';
  if (closedBecause !== null) return 'Disconnected';
  return wasConnected ? 'Reconnecting…' : 'Connecting…';
}
