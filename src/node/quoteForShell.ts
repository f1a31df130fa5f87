const CONTROL = /\p{Cc}/u;

/** Quotes a path for a shell, when it needs quotes. Control characters become escapes, which bash and zsh understand. */
export function quoteForShell(path: string): string {
  if (/^[\w@%+=:,./-]+$/u.test(path)) return path;
  if (!CONTROL.test(path)) return `'${path.replaceAll("'", `'\\''`)}'`;
  return `$'${path.replace(/[\\']/g, '\\$&').replace(/\p{Cc}/gu, escaped)}'`;
}

const escaped = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
