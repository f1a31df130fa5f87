/** Formats an error message for stderr: one line, without commander's prefix. */
export const errorLine = (message: string): string =>
  `${message
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')}\n`;
