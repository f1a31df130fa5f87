/** The address of a user of this machine. */
export interface HostAddress {
  /** As it was typed: user names are case-sensitive. */
  readonly username: string;
  /** In lower case. */
  readonly host: string;
}

/** Splits an email address at its last `@`. */
export function parseHostAddress(email: string): HostAddress {
  const at = email.lastIndexOf('@');
  return { username: email.slice(0, at), host: email.slice(at + 1).toLowerCase() };
}
