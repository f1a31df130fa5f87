/** Quotes a path for a shell, when it needs quotes. */
export const quoteForShell = (path: string): string =>
  /^[\w@%+=:,./-]+$/u.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
