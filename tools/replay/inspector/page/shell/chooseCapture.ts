/** The header's input of a capture's file. */
export const CAPTURE_INPUT = 'open-capture';

/** Asks for a capture's file, in the browser's own dialog. */
export const chooseCapture = (): void => document.getElementById(CAPTURE_INPUT)?.click();
