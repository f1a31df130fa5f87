import { LogOutIcon } from '#ui/base/icons.tsx';
import { Backlog } from './Backlog.tsx';
import { ConnectionPill } from './ConnectionPill.tsx';
import { Mark } from '../base/Mark.tsx';
import { useWindowActs } from '../base/WindowActs.ts';
import { system } from '../base/system.ts';
import { AppMenu } from '../menu/AppMenu.tsx';
import { WindowButtons } from './WindowButtons.tsx';

interface Props {
  readonly isSignedIn: boolean;
}

/** Shows the title bar of the frameless window, with which the window is dragged, and the window's buttons (contract §3). */
export function TitleBar({ isSignedIn }: Props) {
  const acts = useWindowActs();
  const isLeft = system.os === 'mac';
  return (
    <header className="title-bar" data-os={system.os}>
      {isLeft && <WindowButtons names={['Close', 'Minimize']} />}
      <Mark />
      <h1>Parley</h1>
      {isSignedIn && (
        <>
          <ConnectionPill />
          <Backlog />
          <button type="button" className="quiet log-out" title="Log out" onClick={acts.logOut}>
            <LogOutIcon />
            <span>Log out</span>
          </button>
        </>
      )}
      <AppMenu isSignedIn={isSignedIn} />
      {!isLeft && <WindowButtons names={['Minimize', 'Close']} />}
    </header>
  );
}
