/** What a program prints on stderr when it cannot do what was asked: one line, without commander's prefix. */
export const errorLine = (message: string): string =>
  `${message
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')}\n`;
