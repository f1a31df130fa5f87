import type { RequestChannel, WindowActs } from '../base/WindowActs.ts';
import type { System } from '../base/system.ts';

/** An entry of the menu. */
export interface MenuEntry {
  readonly label: string;
  /** The keys that do the same in this host, as on Windows and Linux: `Ctrl+F`. */
  readonly shortcut?: string | undefined;
  readonly choose: (acts: WindowActs) => void;
}

/** Entries that belong together; a line separates them from the next group. */
export type MenuGroup = readonly MenuEntry[];

interface Situation extends Pick<System, 'isElectron'> {
  readonly isSignedIn: boolean;
  /** Whether the window shows the conversation. */
  readonly canFind: boolean;
  /** Whether the connection was closed with a reason, so that Parley does not reconnect. */
  readonly isClosed: boolean;
}

/** Returns an entry that sends a request to main. */
const request = (label: string, channel: RequestChannel, shortcut?: string): MenuEntry => ({
  label,
  shortcut,
  choose: (acts) => acts.request(channel),
});

const FIND: MenuEntry = { label: 'Find…', shortcut: 'Ctrl+F', choose: (acts) => acts.openFind() };

/** Electron's commands for the size of the page; the window has no menu bar outside of macOS. A browser has its own. */
const ZOOM = [
  request('Zoom in', 'zoomIn', 'Ctrl++'),
  request('Zoom out', 'zoomOut', 'Ctrl+-'),
  request('Actual size', 'resetZoom', 'Ctrl+0'),
];

/** The groups in order: the conversation, the size of the page, the developer's tools, the program. */
const groups = ({ isSignedIn, canFind, isClosed, isElectron }: Situation): readonly MenuGroup[] => {
  // The keys of the application menu, which a browser does not have.
  const inElectron = (shortcut: string) => (isElectron ? shortcut : undefined);
  return [
    [
      ...(canFind ? [FIND] : []),
      ...(isSignedIn && isClosed ? [request('Reconnect', 'reconnect', inElectron('Ctrl+Shift+R'))] : []),
    ],
    isSignedIn
      ? [request('Export the conversation…', 'openExport'), request('Print…', 'openPrint', 'Ctrl+P')]
      : [],
    isElectron ? ZOOM : [],
    isSignedIn
      ? [
          request('Save this session', 'saveSession', inElectron('Ctrl+S')),
          request('Inspect this session', 'inspectSession', inElectron('Ctrl+I')),
        ]
      : [],
    [
      request('Settings…', 'openSettings', inElectron('Ctrl+,')),
      request('Copy diagnostics', 'copyDiagnostics'),
      request('Delete my data…', 'openDeleteData'),
      request('About Parley', 'openAbout'),
    ],
  ];
};

/** Returns the groups of the window's menu, in order; none is empty. */
export const menuItems = (situation: Situation): readonly MenuGroup[] =>
  groups(situation).filter((group) => group.length > 0);
