import { CloseIcon, LogOutIcon, MinimizeIcon } from '#ui/icons.tsx';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { ConnectionPill } from './ConnectionPill.tsx';
import { Mark } from './Mark.tsx';

interface Props {
  readonly parley: ParleyBridge;
  readonly isSignedIn: boolean;
}

/** The top of the frameless window: it is dragged by it; the window's buttons (contract §3). */
export function TitleBar({ parley, isSignedIn }: Props) {
  return (
    <header className="title-bar">
      <Mark />
      <h1>Parley</h1>
      {isSignedIn && (
        <>
          <ConnectionPill />
          <button type="button" className="quiet log-out" onClick={() => parley.send('logout')}>
            <LogOutIcon />
            <span>Log out</span>
          </button>
        </>
      )}
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
