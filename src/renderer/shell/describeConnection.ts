import type { ConnectionState } from '#shared/store/connection.ts';

/** Returns the text for the state of the connection (spec §3.2). */
export function describeConnection(
  { status, closedBecause }: ConnectionState,
  wasConnected: boolean,
): 'Connected' | 'Connecting…' | 'Reconnecting…' | 'Disconnected' {
  if (status === 'connected') return 'Connected';
  if (closedBecause !== null) return 'Disconnected';
  return wasConnected ? 'Reconnecting…' : 'Connecting…';
}
