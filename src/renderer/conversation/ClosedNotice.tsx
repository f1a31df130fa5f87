import type { ParleyToolsBridge } from '#shared/ipc/tools.ts';
import type { ConnectionState } from '#shared/store/connection.ts';

interface Props {
  readonly connection: ConnectionState;
  readonly tools: ParleyToolsBridge;
}

/** Shows the reason of a close after which Parley does not reconnect, and the button to reconnect (contract §3). */
export function ClosedNotice({ connection: { closedBecause }, tools }: Props) {
  if (closedBecause === null) return null;
  return (
    <div className="notice">
      <p>Disconnected: {closedBecause}</p>
      <button type="button" className="secondary" onClick={() => tools.send('reconnect')}>
        Reconnect
      </button>
    </div>
  );
}
