import { parseArgs } from 'node:util';

/** A command of an administrator. */
export type AdminCommand =
  | { readonly name: 'accounts'; readonly dataDir: string | null }
  | { readonly name: 'revoke' | 'restore'; readonly email: string; readonly dataDir: string | null };

/** The command line is wrong (`message` is one line), or help was requested. */
export type NoCommand = { readonly message: string } | 'help';

const NAMES = ['accounts', 'revoke', 'restore'] as const;

/** The lines of `--help` about the commands. */
export const ADMIN_HELP = `Commands, while the platform runs or not; each takes --data-dir:
  accounts            lists the accounts: email, time of registration, messages, time of revocation
  revoke <email>      signs an account out at once, and refuses its sign-in
  restore <email>     lets a revoked account sign in again`;

/** Parses a command of an administrator; returns `null` when the first argument is none. */
export function readAdminCommand([first, ...rest]: readonly string[]): AdminCommand | NoCommand | null {
  const name = NAMES.find((known) => known === first);
  if (name === undefined) return null;
  const parsed = parse(rest);
  if (!('values' in parsed)) return parsed;
  const { values, positionals } = parsed;
  const dataDir = values['data-dir'] ?? null;
  if (values.help) return 'help';
  if (dataDir === '') return { message: '--data-dir takes a folder' };
  const [email, ...more] = positionals;
  if (name === 'accounts')
    return email === undefined ? { name, dataDir } : { message: 'accounts takes no argument' };
  if (email === undefined || more.length > 0) return { message: `${name} takes one email` };
  return { name, email, dataDir };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { 'data-dir': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { message: error.message };
  }
}
