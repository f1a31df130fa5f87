import { useSelector } from 'react-redux';
import { useEffect, useRef } from 'react';
import { selectConnection } from '#shared/store/rootReducer.ts';
import { startRetryRequested, startSaveRequested } from '#shared/actions/userActions.ts';
import type { StartFailure } from '#shared/ipc/channels.ts';
import { useWindowState, usePicture } from './base/Picture.ts';
import { Conversation } from './conversation/Conversation.tsx';
import { Dialogs } from './dialogs/Dialogs.tsx';
import { Login } from './Login.tsx';
import { Alert } from './shell/Alert.tsx';
import { ConnectionBar, NoteBar, WorkBars } from './shell/Bars.tsx';
import { TitleBar } from './shell/TitleBar.tsx';
import { OpenImageProvider, Viewer } from './viewer/Viewer.tsx';
import { useWindowCommands } from './base/WindowCommands.ts';
import { Mark } from './base/Mark.tsx';

/**
 * Shows the whole window: the title bar, the connection's bar, the note, one of the views, and a dialog or an alert in front of it. Draws the store of
 * its provider; `WindowCommandsContext` provides what it does, `PictureContext` whether it is a picture of a window.
 */
export function App() {
  const view = useWindowState('view');
  const failure = useWindowState('startFailure');
  const [alert] = useWindowState('alerts').waiting;
  const connection = useSelector(selectConnection);
  const picture = usePicture();
  const role = picture === null ? {} : { role: 'group', 'aria-label': picture.name };
  return (
    <>
      <main data-view={view} data-connection={connection.status} {...role}>
        <TitleBar isSignedIn={view === 'conversation'} />
        <ConnectionBar isSignedIn={view === 'conversation' && failure === null} />
        <div className="bars">
          <NoteBar />
          <WorkBars />
        </div>
        {view === 'splash' && <Splash />}
        {view === 'login' && <Login />}
        {view === 'conversation' && failure !== null && <StartFailed failure={failure} />}
        {view === 'conversation' && failure === null && (
          <OpenImageProvider>
            <Conversation />
          </OpenImageProvider>
        )}
      </main>
      <Viewer />
      <Dialogs />
      {alert && <Alert key={`${alert.id} ${alert.text}`} text={alert.text} />}
    </>
  );
}

/** Shows why the conversation is not opened: the program ended twice while it opened it. */
function StartFailed({ failure }: { readonly failure: StartFailure }) {
  const { focus, send, logOut } = useWindowCommands();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focus(heading.current, { preventScroll: true }), [focus]);
  return (
    <section className="start-failed" aria-labelledby="start-failed">
      <h2 id="start-failed" ref={heading} tabIndex={-1}>
        Parley stopped twice while it opened your conversation
      </h2>
      <p>
        The conversation was not opened again. Try again, or sign out.
        {failure.canSave && ' You can save what was received: the replay tool shows it.'}
      </p>
      <div className="start-failed-buttons">
        <button type="button" className="primary" onClick={() => send(startRetryRequested())}>
          Try again
        </button>
        {failure.canSave && (
          <button type="button" className="secondary" onClick={() => send(startSaveRequested())}>
            Save what was received
          </button>
        )}
        <button type="button" className="secondary" onClick={logOut}>
          Sign out
        </button>
      </div>
    </section>
  );
}

/** Shows the logo until main reports whether a person is signed in (spec §3.1). */
const Splash = () => (
  <div className="splash">
    <Mark />
  </div>
);
