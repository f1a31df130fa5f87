import {
  type ActionEntries,
  recorded,
  recordedAndForwarded,
  recordedLater,
  unrecorded,
} from './actionEntry.ts';

/** The acts: `src/shared/acts/acts.ts`, and the two that are with the slices that they change. */
export const ACT_ENTRIES: ActionEntries = {
  'signIn/requested': recorded('channel `auth`'),
  'logOut/requested': recorded('channel `logout`; menu; tray'),
  'message/requested': recorded('channel `message`', { payload: 'category, length', codes: ['category'] }),
  'snapshot/requested': unrecorded('channel `messenger`'),
  'encoding/requested': unrecorded('channel `encode`', { payload: 'bytes' }),
  'connection/requested': recordedAndForwarded('channel `reconnect`; menu', { changes: ['connection'] }),
  'recording/toggleRequested': recorded('channel `toggleRecording`; shortcut'),
  'playback/requested': recorded('channel `play`', { payload: 'message, item' }),
  'playback/stopRequested': recorded('channel `stopPlayback`'),
  'preferences/changed': recordedAndForwarded('channel `setPreference`', {
    payload: 'some of the preferences',
    changes: ['preferences'],
    codes: ['theme'],
  }),
  'window/openRequested': recorded('menu; a new tab; the start of the program'),
  'window/showRequested': recorded('tray; a notification; another start of the program; the dock'),
  'window/minimizeRequested': recorded('channel `nav`'),
  'window/closeRequested': recorded('channel `nav`'),
  'window/zoomRequested': recorded('channels `zoomIn`, `zoomOut`, `resetZoom`', {
    payload: 'zoom',
    codes: ['zoom'],
  }),
  'app/quitRequested': recorded('menu; tray'),
  'session/saveRequested': recorded('channel `saveSession`; menu; tray'),
  'inspector/requested': recorded('channel `inspectSession`; menu; tray'),
  'dialog/requested': recorded(
    'channels `openSettings`, `openAssistant`, `openAbout`, `openDeleteData`, `openExport`, `openPrint`; menu',
    {
      payload: 'dialog',
      codes: ['dialog'],
    },
  ),
  'diagnostics/copyRequested': recorded('channel `copyDiagnostics`; menu'),
  'data/deletionRequested': recorded('channel `deleteData`', { payload: 'platformFile' }),
  'assistant/testRequested': recordedLater('channel `testAssistant`. Contains none of the settings'),
  'assistant/testCancelRequested': recordedLater('channel `cancelAssistantTest`'),
  'assistant/saveRequested': recordedLater('channel `saveAssistant`. Contains none of the settings', {
    payload: 'isDemonstration',
  }),
  'start/retryRequested': recorded('channel `tryAgain`'),
  'start/saveRequested': recorded('channel `saveReceived`'),
};
