import { CloseIcon, InspectIcon, LogOutIcon, MinimizeIcon, SaveIcon } from '#ui/base/icons.tsx';
import { Backlog } from './Backlog.tsx';
import { ConnectionPill } from './ConnectionPill.tsx';
import { Mark } from '../base/Mark.tsx';
import { useWindowActs } from '../base/WindowActs.ts';
import { AppMenu } from '../menu/AppMenu.tsx';

interface Props {
  readonly isSignedIn: boolean;
}

/** Shows the title bar of the frameless window, with which the window is dragged, and the window's buttons (contract §3). */
export function TitleBar({ isSignedIn }: Props) {
  const acts = useWindowActs();
  return (
    <header className="title-bar">
      <Mark />
      <h1>Parley</h1>
      {isSignedIn && (
        <>
          <ConnectionPill />
          <Backlog />
          <button
            type="button"
            className="quiet in-menu"
            aria-label="Save this session"
            title="Save this session"
            onClick={() => acts.request('saveSession')}
          >
            <SaveIcon />
          </button>
          <button
            type="button"
            className="quiet in-menu"
            aria-label="Inspect this session"
            title="Inspect this session"
            onClick={() => acts.request('inspectSession')}
          >
            <InspectIcon />
          </button>
          <button type="button" className="quiet log-out" onClick={acts.logOut}>
            <LogOutIcon />
            <span>Log out</span>
          </button>
        </>
      )}
      <AppMenu isSignedIn={isSignedIn} />
      <button type="button" className="quiet" aria-label="Minimize" onClick={acts.minimize}>
        <MinimizeIcon />
      </button>
      <button type="button" className="quiet" aria-label="Close" onClick={acts.close}>
        <CloseIcon />
      </button>
    </header>
  );
}
