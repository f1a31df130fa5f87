import type { RequestChannel } from '../base/WindowActs.ts';

/** An entry of the menu: choosing it sends a request to main. */
export interface MenuEntry {
  readonly label: string;
  readonly channel: RequestChannel;
}

interface Situation {
  readonly isSignedIn: boolean;
  /** Whether the connection was closed with a reason, so that Parley does not reconnect. */
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

/** Returns the entries of the window's menu, in order. */
export const menuItems = ({ isSignedIn, isClosed }: Situation): readonly MenuEntry[] => [
  ...(isSignedIn ? SESSION : []),
  ...(isSignedIn && isClosed ? [{ label: 'Reconnect', channel: 'reconnect' } as const] : []),
  ...ALWAYS,
];
