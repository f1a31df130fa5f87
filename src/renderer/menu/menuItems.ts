import type { ToolsSent } from '#shared/ipc/tools.ts';

/** What the menu can choose: each is one word to main, without arguments. */
export interface MenuEntry {
  readonly label: string;
  readonly channel: keyof ToolsSent &
    (
      | 'saveSession'
      | 'inspectSession'
      | 'reconnect'
      | 'openSettings'
      | 'copyDiagnostics'
      | 'openDeleteData'
      | 'openAbout'
    );
}

interface Situation {
  readonly isSignedIn: boolean;
  /** The connection was closed for a reason, and nobody tries again. */
  readonly isClosed: boolean;
}

const SESSION: readonly MenuEntry[] = [
  { label: 'Save this session', channel: 'saveSession' },
  { label: 'Inspect this session', channel: 'inspectSession' },
];

const ALWAYS: readonly MenuEntry[] = [
  { label: 'Settings…', channel: 'openSettings' },
  { label: 'Copy diagnostics', channel: 'copyDiagnostics' },
  { label: 'Delete my data…', channel: 'openDeleteData' },
  { label: 'About Parley', channel: 'openAbout' },
];

/** The entries of the window's menu, in their order. */
export const menuItems = ({ isSignedIn, isClosed }: Situation): readonly MenuEntry[] => [
  ...(isSignedIn ? SESSION : []),
  ...(isSignedIn && isClosed ? [{ label: 'Reconnect', channel: 'reconnect' } as const] : []),
  ...ALWAYS,
];
