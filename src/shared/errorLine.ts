/** Formats an error message for stderr: one line, without commander's prefix and without control characters. */
export const errorLine = (message: string): string =>
  `${message
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\p{Cc}/gu, '·')}\n`;
