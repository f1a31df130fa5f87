import { useState } from 'react';
import { useSelector } from 'react-redux';
import { selectConnection } from '#shared/store/selectors.ts';
import { describeConnection } from './describeConnection.ts';

/** Shows the state of the connection in a word; screen readers announce changes. */
export function ConnectionPill() {
  const connection = useSelector(selectConnection);
  const [wasConnected, setWasConnected] = useState(false);
  if (connection.status === 'connected' && !wasConnected) setWasConnected(true);
  return (
    <p className="pill" data-status={connection.status} aria-live="polite">
      {describeConnection(connection, wasConnected)}
    </p>
  );
}
