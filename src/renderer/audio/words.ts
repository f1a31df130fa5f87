/** What the window says of voice. */
export const DENIED =
  'Parley may not use the microphone. Allow it in the settings of the browser or system, then try again.';
export const NEEDS_RELOAD =
  'Voice was turned on after this page was loaded. Load the page anew, then record.';
export const NO_MICROPHONE = 'There is no microphone. Connect one, then try again.';
export const MICROPHONE_BUSY =
  'The microphone cannot be used: perhaps another program has it. Nothing was sent.';
export const MICROPHONE_GONE = 'The microphone has gone. The recording was dropped and nothing was sent.';
export const NOT_READY = 'The microphone was not ready before the recording ended. Nothing was sent.';
export const NOT_SENT = 'The recording could not be sent.';
export const CLICK_TO_HEAR = 'A voice message has come. The browser plays it once you press its Play button.';
export const UNPLAYABLE = 'This sound cannot be played.';
