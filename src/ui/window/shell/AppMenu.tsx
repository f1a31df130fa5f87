import { Fragment, type KeyboardEvent, useId, useLayoutEffect, useRef } from 'react';
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
import { type WindowCommands, useWindowCommands } from '../base/WindowCommands.ts';
import { type System, ariaShortcut, formatShortcut, system } from '../base/system.ts';
import { followMenuKeys } from '../base/nextItem.ts';

const isMac = system.os === 'mac';

/** Shows the window's menu, with the entries of the application menu for hosts and windows without one. */
export function AppMenu({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const commands = useWindowCommands();
  const isOpen = useWindowState('menu');
  const groups = useGroups(isSignedIn);
  const open = () => commands.dispatch(menuOpened());
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  const close = () => {
    commands.focus(button.current);
    commands.dispatch(menuClosed());
  };
  const choose = (entry: MenuEntry) => {
    close();
    entry.choose(commands);
  };
  return (
    <div
      className="app-menu"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isOpen && !currentTarget.contains(relatedTarget)) commands.dispatch(menuClosed());
      }}
    >
      <button
        ref={button}
        type="button"
        className="quiet"
        aria-label="Menu"
        title="Menu"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={isOpen ? close : open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open();
        }}
      >
        <MenuIcon />
      </button>
      {isOpen && <Entries id={menuId} groups={groups} onChoose={choose} onClose={close} />}
    </div>
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

interface EntriesProps {
  readonly id: string;
  readonly groups: readonly MenuGroup[];
  readonly onChoose: (entry: MenuEntry) => void;
  readonly onClose: () => void;
}

function Entries({ id, groups, onChoose, onClose }: EntriesProps) {
  const menu = useRef<HTMLDivElement>(null);
  const { focus } = useWindowCommands();
  useLayoutEffect(() => focus(menu.current?.querySelector('button')), [focus, menu]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    if (event.key === 'Escape') event.preventDefault();
    followMenuKeys(event, focus);
  };
  return (
    // Its entries have the focus.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div ref={menu} id={id} role="menu" aria-label="Menu" onKeyDown={onKeyDown}>
      {groups.map((group, at) => (
        <Fragment key={group[0]?.label}>
          {at > 0 && <hr />}
          {group.map((one) => (
            <button
              key={one.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              aria-keyshortcuts={one.shortcut && ariaShortcut(one.shortcut, isMac)}
              onClick={() => onChoose(one)}
            >
              {one.label}
              {one.shortcut && <kbd aria-hidden="true">{formatShortcut(one.shortcut, isMac)}</kbd>}
            </button>
          ))}
        </Fragment>
      ))}
    </div>
  );
}

/** An entry of the menu. */
interface MenuEntry {
  readonly label: string;
  /** The keys that do the same in this host, as on Windows and Linux: `Ctrl+F`. */
  readonly shortcut?: string | undefined;
  readonly choose: (commands: WindowCommands) => void;
}

/** Entries that belong together; a line separates them from the next group. */
type MenuGroup = readonly MenuEntry[];

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
