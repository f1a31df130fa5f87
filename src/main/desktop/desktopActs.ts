/** What a person can do from the tray and the application's menu. */
export interface DesktopActs {
  /** Brings a window to the front, or opens one. */
  readonly showWindow: () => void;
  readonly openWindow: () => void;
  readonly saveSession: () => void;
  readonly inspectSession: () => void;
  readonly reconnect: () => void;
  readonly signOut: () => void;
  readonly showSettings: () => void;
  readonly showAbout: () => void;
  readonly showDeleteData: () => void;
  readonly copyDiagnostics: () => void;
  readonly quit: () => void;
}
