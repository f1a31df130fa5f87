/** The window's messages about voice. */
export const DENIED =
  'Parley may not use the microphone. Allow it in the settings of the browser or system, then try again.';
export const NEEDS_RELOAD = 'Voice was turned on after this page was loaded. Reload the page, then record.';
export const NO_MICROPHONE = 'There is no microphone. Connect one, then try again.';
export const MICROPHONE_BUSY =
  'The microphone cannot be used: another program may be using it. Nothing was sent.';
export const MICROPHONE_GONE =
  'The microphone is no longer available. The recording was dropped and nothing was sent.';
export const NOT_READY = 'The microphone was not ready before the recording ended. Nothing was sent.';
export const NOT_SENT = 'The recording could not be sent.';
export const CLICK_TO_HEAR = 'A voice message has arrived. Press its Play button to hear it.';
export const UNPLAYABLE = 'This sound cannot be played.';
