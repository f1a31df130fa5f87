import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { z } from 'zod';
import { FolderInUseError, claimDataFolder } from '#node/claimDataFolder.ts';
import { prepareDataFolder } from '#node/dataFolder.ts';
import type { Clock } from '#shared/clock.ts';
import { normalizeEmail } from './accounts/accounts.ts';
import { type Owner, readOwnerFile } from './ownerFile.ts';
import type { ListedAccount } from './storage/accountRows.ts';
import { PLATFORM_FILE } from './storage/platformFile.ts';

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

/** The accounts, in the running platform or in its file. */
interface AccountList {
  list(): Promise<readonly ListedAccount[]>;
  /** Resolves to whether there is an account with this email. */
  setRevoked(email: string, isRevoked: boolean): Promise<boolean>;
  close(): Promise<void>;
}

/** The command cannot be run. `message` is one line. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
}

/**
 * Runs a command on the accounts of a data folder: the running platform does it; when none runs, its file is changed.
 * @returns the text for stdout.
 * @throws {AdminError} with exit status 1, {DataFolderError} with its own.
 */
export async function runAdminCommand(command: AdminCommand, clock: Clock): Promise<string> {
  const accounts = await openAccounts(prepareDataFolder(command.dataDir), clock);
  try {
    if (command.name === 'accounts') return table(await accounts.list());
    const isRevoked = command.name === 'revoke';
    const email = normalizeEmail(command.email);
    if (!(await accounts.setRevoked(email, isRevoked))) throw new AdminError(`there is no account ${email}`);
    return `${email} is ${isRevoked ? 'revoked' : 'restored'}\n`;
  } finally {
    await accounts.close();
  }
}

async function openAccounts(folder: string, clock: Clock): Promise<AccountList> {
  const owner = readOwnerFile(folder);
  // A killed platform leaves its file.
  if (owner !== null && (await answers(owner))) return runningPlatform(owner);
  try {
    const { release } = claimDataFolder(folder, 'platform');
    return await openFile(folder, clock, release);
  } catch (error) {
    if (owner === null || !(error instanceof FolderInUseError)) throw error;
    throw new AdminError(`the running platform does not answer at ${owner.apiUrl}: restart it`, {
      cause: error,
    });
  }
}

/** Resolves to whether this platform runs. */
async function answers(owner: Owner): Promise<boolean> {
  try {
    return (await send(owner, '/accounts')).ok;
  } catch {
    return false;
  }
}

const send = ({ apiUrl, secret }: Owner, path: string, init: RequestInit = {}) =>
  fetch(`${apiUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(10_000),
  });

async function openFile(folder: string, clock: Clock, release: () => void): Promise<AccountList> {
  const { openStore } = await import('./storage/platformStore.ts');
  const store = openStore({ path: join(folder, PLATFORM_FILE), clock, logger: pino({ level: 'silent' }) });
  return {
    list: async () => store.accounts(),
    async setRevoked(email, isRevoked) {
      if (store.account('email', email) === undefined) return false;
      if ((await store.setRevoked(email, isRevoked)) !== 'done')
        throw new AdminError('the file cannot be written: make room on the disk');
      return true;
    },
    async close() {
      await store.close();
      release();
    },
  };
}

const listSchema = z.array(
  z.object({
    email: z.string(),
    createdAt: z.number(),
    messages: z.number(),
    revokedAt: z.number().nullable(),
  }),
);

function runningPlatform(owner: Owner): AccountList {
  return {
    async list() {
      const response = await send(owner, '/accounts');
      if (!response.ok) throw await refused(response);
      return listSchema.parse(await response.json());
    },
    async setRevoked(email, isRevoked) {
      const body = JSON.stringify({ email, isRevoked });
      const response = await send(owner, '/accounts/revoked', { method: 'POST', body });
      if (!response.ok && response.status !== 404) throw await refused(response);
      return response.ok;
    },
    close: () => Promise.resolve(),
  };
}

const refused = async (response: Response) =>
  new AdminError(`the running platform refused: ${await response.text()}`);

const time = (ms: number | null) => (ms === null ? '-' : `${new Date(ms).toISOString().slice(0, 19)}Z`);

/** Formats the accounts as columns. Times are in UTC. */
function table(accounts: readonly ListedAccount[]): string {
  const rows = accounts.map((account) => [
    account.email,
    time(account.createdAt),
    String(account.messages),
    time(account.revokedAt),
  ]);
  const all = [['EMAIL', 'CREATED', 'MESSAGES', 'REVOKED'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => `${line(row).trimEnd()}\n`).join('');
}
