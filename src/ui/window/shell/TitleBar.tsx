import { useSelector } from 'react-redux';
import { CloseIcon, LogOutIcon, MinimizeIcon } from '#ui/base/icons.tsx';
import type { ConnectionState } from '#shared/store/sharedSlices.ts';
import { selectBacklog, selectConnection, selectWasConnected } from '#shared/store/rootReducer.ts';
import { formatBacklog } from '#shared/formatText.ts';
import { Mark } from '../base/Mark.tsx';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { system } from '../base/system.ts';
import { useLive } from '../base/Picture.ts';
import { AppMenu } from './AppMenu.tsx';

/** Shows the title bar of the frameless window, with which the window is dragged, and the window's buttons (contract §3). */
export function TitleBar({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const commands = useWindowCommands();
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
          <button type="button" className="quiet log-out" title="Log out" onClick={commands.logOut}>
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

const BUTTONS = {
  Minimize: { act: 'minimize', Icon: MinimizeIcon },
  Close: { act: 'close', Icon: CloseIcon },
} as const;

/**
 * Shows the buttons that minimize and close the window, in the system's order. They look like those of the system (`titleBar.css`). The system's own
 * buttons have other names, and the web host has none.
 */
function WindowButtons({ names }: { readonly names: readonly (keyof typeof BUTTONS)[] }) {
  const commands = useWindowCommands();
  return (
    <div className="window-buttons">
      {names.map((name) => {
        const { act, Icon } = BUTTONS[name];
        return (
          <button
            key={name}
            type="button"
            data-act={act}
            aria-label={name}
            title={name}
            onClick={commands[act]}
          >
            <Icon />
          </button>
        );
      })}
    </div>
  );
}

/** Shows the state of the connection in a word; screen readers announce changes. */
function ConnectionPill() {
  const connection = useSelector(selectConnection);
  const wasConnected = useSelector(selectWasConnected);
  const live = useLive();
  // The bar announces a lost connection.
  const isLost = connection.closedBecause !== null || connection.retryAt !== undefined;
  return (
    <p className="pill" data-status={connection.status} aria-live={isLost ? 'off' : live}>
      {describeConnection(connection, wasConnected)}
    </p>
  );
}

/** Returns the text for the state of the connection (spec §3.2). */
function describeConnection({ status, closedBecause }: ConnectionState, wasConnected: boolean): string {
  if (status === 'connected') return 'Connected';
  if (closedBecause !== null) return 'Disconnected';
  return wasConnected ? 'Reconnecting…' : 'Connecting…';
}

/** Shows the number of waiting updates and how long they wait. Screen readers do not announce it, because it changes each second. */
function Backlog() {
  const { updates } = useSelector(selectBacklog);
  if (updates === 0) return null;
  const text = formatBacklog(updates);
  return (
    <p className="backlog" title={text}>
      {text}
    </p>
  );
}
