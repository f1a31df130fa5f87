import { useSelector } from 'react-redux';
import type { StartFailure } from '#shared/ipc/tools.ts';
import { selectConnection } from '#shared/store/selectors.ts';
import { Alert } from './shell/Alert.tsx';
import { NoteBar } from './shell/NoteBar.tsx';
import { Splash } from './shell/Splash.tsx';
import { TitleBar } from './shell/TitleBar.tsx';
import type { Alerts } from './shell/alerts.ts';
import type { Bridge } from './base/bridge.ts';
import type { Cell } from './base/cell.ts';
import { Conversation } from './conversation/Conversation.tsx';
import { StartFailed } from './conversation/StartFailed.tsx';
import { Dialogs } from './dialogs/Dialogs.tsx';
import type { OpenDialog } from './dialogs/followDialogs.ts';
import type { View } from './shell/followAccount.ts';
import type { Note } from './shell/followNotes.ts';
import { Login } from './login/Login.tsx';
import { useCell } from './base/useCell.ts';

interface Props {
  readonly bridge: Bridge;
  readonly view: Cell<View>;
  readonly alerts: Alerts;
  readonly note: Cell<Note | undefined>;
  readonly dialog: Cell<OpenDialog | undefined>;
  readonly startFailure: Cell<StartFailure | null>;
}

/** Shows the whole window: the title bar, one of the views, the note below it, and a dialog or an alert in front of it. */
export function App({ bridge, view: viewCell, alerts, note, dialog, startFailure }: Props) {
  const failure = useCell(startFailure);
  const view = useCell(viewCell);
  const alert = useCell(alerts);
  const isInert = [alert, useCell(dialog)].some((shown) => shown !== undefined);
  const connection = useSelector(selectConnection);
  return (
    <>
      <main data-view={view} data-connection={connection.status}>
        <TitleBar bridge={bridge} isSignedIn={view === 'conversation'} />
        {view === 'splash' && <Splash />}
        {view === 'login' && <Login bridge={bridge} />}
        {view === 'conversation' && failure !== null && <StartFailed bridge={bridge} failure={failure} />}
        {view === 'conversation' && failure === null && (
          <Conversation bridge={bridge} alert={alerts.show} isInert={isInert} />
        )}
        <NoteBar note={note} />
      </main>
      <Dialogs shown={dialog} tools={bridge.tools} />
      {alert && <Alert key={alert.id} text={alert.text} onClose={alerts.dismiss} />}
    </>
  );
}
