import { useSelector } from 'react-redux';
import { selectConnection } from '#shared/store/rootReducer.ts';
import type { UserAction } from '#shared/actions/actionTable.ts';
import {
  connectionRequested,
  diagnosticsCopyRequested,
  dialogRequested,
  inspectorRequested,
  sessionSaveRequested,
  windowZoomRequested,
} from '#shared/actions/userActions.ts';
import { menuClosed, menuOpened } from '#shared/actions/windowActions.ts';
import { MenuIcon } from '#ui/base/icons.tsx';
import { useWindowState } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { Menu, type MenuEntry, type MenuGroup } from '../base/Menu.tsx';
import { type System, system } from '../base/system.ts';

/** Shows the window's menu, with the entries of the application menu for hosts and windows without one. */
export function AppMenu({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const { dispatch } = useWindowCommands();
  const isOpen = useWindowState('menu');
  const groups = useGroups(isSignedIn);
  return (
    <Menu
      className="app-menu"
      name="Menu"
      title="Menu"
      isOpen={isOpen}
      groups={groups}
      onOpen={() => dispatch(menuOpened())}
      onClose={() => dispatch(menuClosed())}
    >
      <MenuIcon />
    </Menu>
  );
}

function useGroups(isSignedIn: boolean): readonly MenuGroup[] {
  const { closedBecause } = useSelector(selectConnection);
  const failure = useWindowState('startFailure');
  return menuItems({
    ...system,
    isSignedIn,
    canFind: isSignedIn && failure === null,
    isClosed: closedBecause !== null,
  });
}

interface Situation extends Pick<System, 'isElectron'> {
  readonly isSignedIn: boolean;
  /** Whether the window shows the conversation. */
  readonly canFind: boolean;
  /** Whether the connection was closed with a reason, so that Parley does not reconnect. */
  readonly isClosed: boolean;
}

/** Returns an entry that sends a user action. */
const entry = (label: string, action: UserAction, shortcut?: string): MenuEntry => ({
  label,
  shortcut,
  choose: (commands) => commands.send(action),
});

const FIND: MenuEntry = { label: 'Find…', shortcut: 'Ctrl+F', choose: (commands) => commands.openFind() };

/** Electron's commands for the size of the page; the window has no menu bar outside of macOS. A browser has its own. */
const ZOOM = [
  entry('Zoom in', windowZoomRequested({ zoom: 'in' }), 'Ctrl++'),
  entry('Zoom out', windowZoomRequested({ zoom: 'out' }), 'Ctrl+-'),
  entry('Actual size', windowZoomRequested({ zoom: 'reset' }), 'Ctrl+0'),
];

/** Returns the groups of the window's menu, none of which is empty: the conversation, the size of the page, the developer's tools, the program. */
export const menuItems = ({ isSignedIn, canFind, isClosed, isElectron }: Situation): readonly MenuGroup[] => {
  // The keys of the application menu, which a browser does not have.
  const inElectron = (shortcut: string) => (isElectron ? shortcut : undefined);
  const groups: readonly MenuGroup[] = [
    [
      ...(canFind ? [FIND] : []),
      ...(isSignedIn && isClosed
        ? [entry('Reconnect', connectionRequested(), inElectron('Ctrl+Shift+R'))]
        : []),
    ],
    isSignedIn
      ? [
          entry('Export the conversation…', dialogRequested({ dialog: 'export' })),
          entry('Print…', dialogRequested({ dialog: 'print' }), 'Ctrl+P'),
        ]
      : [],
    isElectron ? ZOOM : [],
    isSignedIn
      ? [
          entry('Save this session', sessionSaveRequested(), inElectron('Ctrl+S')),
          entry('Inspect this session', inspectorRequested(), inElectron('Ctrl+I')),
        ]
      : [],
    [
      entry('Settings…', dialogRequested({ dialog: 'settings' }), inElectron('Ctrl+,')),
      entry('Copy diagnostics', diagnosticsCopyRequested()),
      entry('Delete my data…', dialogRequested({ dialog: 'deleteData' })),
      entry('About Parley', dialogRequested({ dialog: 'about' })),
    ],
  ];
  return groups.filter((group) => group.length > 0);
};
