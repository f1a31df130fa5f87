import { z } from 'zod';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { type ConversationLog, conversationLog } from './conversationLog.ts';
import { type JsonAccount, jsonAccountSchema } from './readPlatformJson.ts';

/** The journal's first line names the generation of `platform.json` that it continues. */
const headSchema = z.object({
  format: z.literal('parley-platform-journal'),
  version: z.literal(1),
  follows: z.number().int(),
});

/** A record: a person registered, or a frame was added to the conversation of the account with that identifier. */
const recordSchema = z.union([
  z.object({ account: jsonAccountSchema }),
  z.object({ id: z.string(), frame: z.string() }),
]);

interface Generation {
  readonly accounts: readonly JsonAccount[];
  readonly generation: number;
}

/**
 * Returns the accounts of `platform.json` with the changes of its journal, up to the first line that cannot be read. A journal
 * of another generation is a leftover.
 */
export function replayJournal(text: string, { accounts, generation }: Generation): readonly JsonAccount[] {
  // A last line without its newline was never confirmed.
  const [first = '', ...lines] = text.split('\n').slice(0, -1);
  if (headSchema.safeParse(tryParseJson(first)).data?.follows !== generation) return accounts;
  const logs: Logs = new Map();
  for (const account of accounts) addAccount(logs, account);
  lines.every((line) => apply(line, logs));
  return Array.from(logs.values(), ({ account, log }) => ({ ...account, conversation: log.conversation() }));
}

type Logs = Map<string, { readonly account: JsonAccount; readonly log: ConversationLog }>;

const addAccount = (logs: Logs, account: JsonAccount) =>
  logs.set(account.id, { account, log: conversationLog(account.conversation) });

/** Applies a line; returns whether it could be applied. */
function apply(line: string, logs: Logs): boolean {
  const record = recordSchema.safeParse(tryParseJson(line)).data;
  if (record === undefined) return false;
  if ('account' in record) {
    addAccount(logs, record.account);
    return true;
  }
  try {
    logs.get(record.id)?.log.add(record.frame);
    return true;
  } catch {
    return false;
  }
}
