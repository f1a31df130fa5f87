import { useSelector } from 'react-redux';
import { selectConnection } from '#shared/store/selectors.ts';
import { Alert } from './Alert.tsx';
import { Splash } from './Splash.tsx';
import { TitleBar } from './TitleBar.tsx';
import type { Alerts } from './alerts.ts';
import type { Bridge } from './bridge.ts';
import type { Cell } from './cell.ts';
import { Conversation } from './conversation/Conversation.tsx';
import type { View } from './followAccount.ts';
import { Login } from './login/Login.tsx';
import { useCell } from './useCell.ts';

interface Props {
  readonly bridge: Bridge;
  readonly view: Cell<View>;
  readonly alerts: Alerts;
}

/** The whole window: its title bar, one of three views, and the alert that stands before it. */
export function App({ bridge, view: viewCell, alerts }: Props) {
  const view = useCell(viewCell);
  const alert = useCell(alerts);
  const connection = useSelector(selectConnection);
  return (
    <>
      <main data-view={view} data-connection={connection.status}>
        <TitleBar parley={bridge.parley} isSignedIn={view === 'conversation'} />
        {view === 'splash' && <Splash />}
        {view === 'login' && <Login parley={bridge.parley} />}
        {view === 'conversation' && (
          <Conversation bridge={bridge} alert={alerts.show} isInert={alert !== undefined} />
        )}
      </main>
      {alert && <Alert key={alert.id} words={alert.words} onClose={alerts.dismiss} />}
    </>
  );
}
