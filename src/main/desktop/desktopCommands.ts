import type { Dispatch } from '@reduxjs/toolkit';
import {
  connectionRequested,
  diagnosticsCopyRequested,
  dialogRequested,
  inspectorRequested,
  logOutRequested,
  quitRequested,
  sessionSaveRequested,
  windowOpenRequested,
  windowShowRequested,
} from '#shared/actions/userActions.ts';

/** What a person can do from the tray and the application's menu. Each one only dispatches its user action. */
export interface DesktopCommands {
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
  readonly showExport: () => void;
  readonly print: () => void;
  readonly find: () => void;
  readonly copyDiagnostics: () => void;
  readonly quit: () => void;
}

/** Creates the commands of the tray and the menu. */
export const createDesktopCommands = (dispatch: Dispatch): DesktopCommands => ({
  showWindow: () => void dispatch(windowShowRequested()),
  openWindow: () => void dispatch(windowOpenRequested()),
  saveSession: () => void dispatch(sessionSaveRequested()),
  inspectSession: () => void dispatch(inspectorRequested()),
  reconnect: () => void dispatch(connectionRequested()),
  signOut: () => void dispatch(logOutRequested()),
  showSettings: () => void dispatch(dialogRequested({ dialog: 'settings' })),
  showAbout: () => void dispatch(dialogRequested({ dialog: 'about' })),
  showDeleteData: () => void dispatch(dialogRequested({ dialog: 'deleteData' })),
  showExport: () => void dispatch(dialogRequested({ dialog: 'export' })),
  print: () => void dispatch(dialogRequested({ dialog: 'print' })),
  find: () => void dispatch(dialogRequested({ dialog: 'find' })),
  copyDiagnostics: () => void dispatch(diagnosticsCopyRequested()),
  quit: () => void dispatch(quitRequested()),
});
