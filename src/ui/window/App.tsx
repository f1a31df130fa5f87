import { useSelector } from 'react-redux';
import { selectConnection } from '#shared/store/selectors.ts';
import { usePicture } from './base/Picture.ts';
import { useOwn } from './base/useOwn.ts';
import { Conversation } from './conversation/Conversation.tsx';
import { StartFailed } from './conversation/StartFailed.tsx';
import { Dialogs } from './dialogs/Dialogs.tsx';
import { Login } from './login/Login.tsx';
import { Alert } from './shell/Alert.tsx';
import { ConnectionBar } from './shell/ConnectionBar.tsx';
import { NoteBar } from './shell/NoteBar.tsx';
import { Splash } from './shell/Splash.tsx';
import { TitleBar } from './shell/TitleBar.tsx';
import { OpenImageProvider } from './viewer/OpenImageProvider.tsx';
import { Viewer } from './viewer/Viewer.tsx';
import { WorkBars } from './shell/WorkBars.tsx';

/**
 * Shows the whole window: the title bar, the connection's bar, the note, one of the views, and a dialog or an alert in front of it. Draws the store of
 * its provider; `WindowActsContext` provides what it does, `PictureContext` whether it is a picture of a window.
 */
export function App() {
  const view = useOwn('view');
  const failure = useOwn('startFailure');
  const [alert] = useOwn('alerts').waiting;
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
