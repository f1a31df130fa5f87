import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSelector } from 'react-redux';
import type { ConnectionState } from '#shared/store/sharedSlices.ts';
import { selectConnection, selectWasConnected } from '#shared/store/rootReducer.ts';
import { noteDismissed } from '#shared/actions/windowActions.ts';
import { CloseIcon } from '#ui/base/icons.tsx';
import { formatCount } from '#shared/formatText.ts';
import { useLive, useWindowState, usePicture } from '../base/Picture.ts';
import { connectionRequested } from '#shared/actions/userActions.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';

/**
 * Shows below the title bar that the connection is lost, and what happens next: when Parley tries again, or the reason of a close after which it does not, with the
 * button to reconnect (contract §3). Screen readers announce a loss once: while the person writes, the line above the text box says what it means for the text.
 */
export function ConnectionBar({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const connection = useSelector(selectConnection);
  const isWriting = useWindowState('textBox') !== null;
  const live = useLive();
  return (
    <div className="connection-bar" aria-live={isWriting && connection.closedBecause === null ? 'off' : live}>
      {isSignedIn && connection.closedBecause !== null && <Closed because={connection.closedBecause} />}
      {isSignedIn && isRetried(connection) && <Lost retryAt={connection.retryAt} />}
    </div>
  );
}

/** Returns whether the connection was lost or could not be opened, and Parley tries again. */
const isRetried = ({ status, closedBecause, retryAt }: ConnectionState) =>
  status === 'disconnected' && closedBecause === null && retryAt !== undefined;

function Closed({ because }: { readonly because: string }) {
  const { send } = useWindowCommands();
  return (
    <>
      <p>
        Disconnected: <bdi>{because}</bdi>
      </p>
      <button type="button" className="secondary" onClick={() => send(connectionRequested())}>
        Reconnect
      </button>
    </>
  );
}

/** A shorter loss is not shown. A connection that is opened again at the first try takes about 1.6 s until the platform's first pong. */
const SHOWN_AFTER_S = 3;
/** An attempt that takes longer than this is shown as one. Most fail at once, and the text would change twice a second. */
const LONG_ATTEMPT_MS = 1000;

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

function Lost({ retryAt }: Pick<ConnectionState, 'retryAt'>) {
  const wasConnected = useSelector(selectWasConnected);
  const isPicture = usePicture() !== null;
  const { seconds, now } = useSeconds();
  if (!isPicture && seconds < SHOWN_AFTER_S) return null;
  const isTrying = retryAt !== undefined && now - retryAt > LONG_ATTEMPT_MS;
  return (
    <p>
      {wasConnected ? 'Connection lost.' : 'The platform cannot be reached.'} Parley tries again by itself.{' '}
      {/* The time changes with each attempt: it is not announced. */}
      <span aria-live="off">
        {isTrying ? 'Trying now, since' : 'Next try at'} <time>{TIME.format(retryAt)}</time>
      </span>
    </p>
  );
}

/** Returns how many seconds the component has been shown, and the time at the last of them; always 0 in a picture. */
function useSeconds(): { readonly seconds: number; readonly now: number } {
  const [time, setTime] = useState({ seconds: 0, now: 0 });
  const isPicture = usePicture() !== null;
  useEffect(() => {
    if (isPicture) return undefined;
    const timer = setInterval(
      () => setTime(({ seconds }) => ({ seconds: seconds + 1, now: Date.now() })),
      1000,
    );
    return () => clearInterval(timer);
  }, [isPicture]);
  return time;
}

/** Shows the current note, which screen readers announce. It does not block the window. */
export function NoteBar() {
  const note = useWindowState('notes');
  const { dispatch } = useWindowCommands();
  return (
    <div className="note" aria-live={useLive()}>
      {note && (
        <>
          <p>
            {note.text} {note.path !== undefined && <code dir="auto">{note.path}</code>}
          </p>
          <button
            type="button"
            className="quiet"
            aria-label="Dismiss"
            onClick={() => dispatch(noteDismissed())}
          >
            <CloseIcon />
          </button>
        </>
      )}
    </div>
  );
}

/** Shows the progress of long work, and a button that cancels it. It does not block the window. */
export function WorkBars() {
  const { works } = useWindowCommands();
  const current = useSyncExternalStore(works.subscribe, works.current, works.current);
  return current.map(({ id, name, done, of, cancel }) => (
    <div key={id} className="work">
      <p>
        {name}
        {of > 0 && (
          <span>
            {formatCount(done)} of {formatCount(of)} messages
          </span>
        )}
      </p>
      <progress aria-label={name} {...(of > 0 && { value: done, max: of })} />
      <button type="button" className="secondary" onClick={cancel}>
        Cancel
      </button>
    </div>
  ));
}
