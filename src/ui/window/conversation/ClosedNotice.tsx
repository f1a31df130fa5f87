import type { ConnectionState } from '#shared/store/connection.ts';
import { useWindowActs } from '../base/WindowActs.ts';

interface Props {
  readonly connection: ConnectionState;
}

/** Shows the reason of a close after which Parley does not reconnect, and the button to reconnect (contract §3). */
export function ClosedNotice({ connection: { closedBecause } }: Props) {
  const { request } = useWindowActs();
  if (closedBecause === null) return null;
  return (
    <div className="notice">
      <p>
        Disconnected: <bdi>{closedBecause}</bdi>
      </p>
      <button type="button" className="secondary" onClick={() => request('reconnect')}>
        Reconnect
      </button>
    </div>
  );
}
