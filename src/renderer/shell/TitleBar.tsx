import { CloseIcon, InspectIcon, LogOutIcon, MinimizeIcon, SaveIcon } from '#ui/base/icons.tsx';
import { Backlog } from './Backlog.tsx';
import type { Bridge } from '../base/bridge.ts';
import { ConnectionPill } from './ConnectionPill.tsx';
import { Mark } from '../base/Mark.tsx';
import { AppMenu } from '../menu/AppMenu.tsx';

interface Props {
  readonly bridge: Bridge;
  readonly isSignedIn: boolean;
}

/** Shows the title bar of the frameless window, with which the window is dragged, and the window's buttons (contract §3). */
export function TitleBar({ bridge: { parley, tools }, isSignedIn }: Props) {
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
            onClick={() => tools.send('saveSession')}
          >
            <SaveIcon />
          </button>
          <button
            type="button"
            className="quiet in-menu"
            aria-label="Inspect this session"
            title="Inspect this session"
            onClick={() => tools.send('inspectSession')}
          >
            <InspectIcon />
          </button>
          <button type="button" className="quiet log-out" onClick={() => parley.send('logout')}>
            <LogOutIcon />
            <span>Log out</span>
          </button>
        </>
      )}
      <AppMenu tools={tools} isSignedIn={isSignedIn} />
      <button
        type="button"
        className="quiet"
        aria-label="Minimize"
        onClick={() => parley.send('nav', 'minimize')}
      >
        <MinimizeIcon />
      </button>
      <button type="button" className="quiet" aria-label="Close" onClick={() => parley.send('nav', 'close')}>
        <CloseIcon />
      </button>
    </header>
  );
}
