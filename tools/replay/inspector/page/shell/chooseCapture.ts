/** The id of the file input in the header. */
export const CAPTURE_INPUT = 'open-capture';

/** Opens the browser's file dialog for a capture. */
export const chooseCapture = (): void => document.getElementById(CAPTURE_INPUT)?.click();
