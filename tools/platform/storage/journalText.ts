import { z } from 'zod';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { conversationLog } from './conversationLog.ts';
import { type StoredAccount, accountSchema } from './storedPlatform.ts';

/** The journal's first line names the generation of the file that it continues. */
export const JOURNAL_HEAD = { format: 'parley-platform-journal', version: 1 } as const;

const headSchema = z.object({
  format: z.literal(JOURNAL_HEAD.format),
  version: z.literal(JOURNAL_HEAD.version),
  follows: z.number().int(),
});

/** A record: a person registered, or a frame was added to the conversation of the account with that identifier. */
export type JournalRecord =
  | { readonly account: StoredAccount }
  | { readonly id: string; readonly frame: string };

const recordSchema = z.union([
  z.object({ account: accountSchema }),
  z.object({ id: z.string(), frame: z.string() }),
]);

/** The result of replaying a journal. */
type Replayed =
  /** The journal continues another file, or contains no record. */
  | { readonly kind: 'leftover' }
  /** `isBroken`: a line in the middle cannot be read; the accounts are as of the line before it. */
  | { readonly kind: 'replayed'; readonly accounts: readonly StoredAccount[]; readonly isBroken: boolean };

/** Applies a journal to the accounts of a file. Drops a last line without its newline: it was never confirmed. */
export function replayJournal(
  text: string,
  { accounts, generation }: { readonly accounts: readonly StoredAccount[]; readonly generation: number },
): Replayed {
  const [first = '', ...lines] = text.split('\n').slice(0, -1);
  const head = headSchema.safeParse(tryParseJson(first)).data;
  if (head?.follows !== generation) return { kind: 'leftover' };
  const logs = new Map(accounts.map((account) => [account.id, logOf(account)]));
  const isBroken = !lines.every((line) => apply(line, logs));
  const replayed = Array.from(logs.values(), ({ account, log }) => ({
    ...account,
    conversation: log.conversation(),
  }));
  return { kind: 'replayed', accounts: replayed, isBroken };
}

const logOf = (account: StoredAccount) => ({ account, log: conversationLog(account.conversation) });

/** Applies a line; returns whether it could be applied. */
function apply(line: string, logs: Map<string, ReturnType<typeof logOf>>): boolean {
  const record = recordSchema.safeParse(tryParseJson(line)).data;
  if (record === undefined) return false;
  if ('account' in record) {
    logs.set(record.account.id, logOf(record.account));
    return true;
  }
  try {
    logs.get(record.id)?.log.add(record.frame);
    return true;
  } catch {
    return false;
  }
}
