import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ACTIONS } from '#shared/actions/actionTable.ts';
import { isJsonObject } from '#shared/json.ts';
import { kindOf } from '#shared/protocol/update.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { type ReplayCode, appCode } from '#shared/replay/code.ts';
import { UsageError } from '../base/errors.ts';
import type { RedactionRules } from '../engine/appAdapter.ts';
import type { OwnApp, Replayed } from '../engine/sessionAdapter.ts';
import { parleyReports } from './parleyReports.ts';

/** What `redact` keeps of Parley: the codes of its actions (docs/actions.md). */
const redactionRules: RedactionRules = {
  codes: [],
  codesOf: (type) => (Object.hasOwn(ACTIONS, type) ? (ACTIONS[type]?.recorded?.codes ?? []) : []),
  normalize(frame) {
    // As `decodeUpdate` does (contract §5): a number as the id of a message is its decimal text.
    for (const message of messagesOf(frame))
      if (isJsonObject(message) && typeof message.id === 'number')
        Object.assign(message, { id: String(message.id) });
    return frame;
  },
};

/** Returns Parley with its reports. @param code the app's own code, or that of another revision. */
export const parleyWith = (code: ReplayCode = appCode): Replayed => ({
  adapter: { ...parleyAdapter(code), reports: parleyReports(code), redact: redactionRules },
});

/** Parley for the commands. Only the entries of programs import it. */
export const parleyApp: OwnApp = {
  ...parleyWith(),
  loadRevision: async (file, revision) => parleyWith(await loadCode(file, revision)),
};

/** The part that older revisions do not have: then this checkout's is used. */
const { reduceActs, ...needed } = appCode;

const codeSchema = z.looseObject(
  Object.fromEntries(
    Object.entries(needed).map(([name, part]) => [name, z.custom((value) => typeof value === typeof part)]),
  ),
);
const moduleSchema = z.looseObject({ appCode: codeSchema });

/** @throws {UsageError} when a part that a replay needs is missing. */
async function loadCode(file: string, revision = file): Promise<ReplayCode> {
  const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const checked = moduleSchema.safeParse(loaded);
  if (!checked.success) {
    const lacking = checked.error.issues.map(({ path }) => path.at(-1)).join(', ');
    throw new UsageError(`--base ${revision}: that revision has no ${lacking}, which a replay needs`);
  }
  // Only the types can be checked here. The replay of each capture shows what the functions do.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { reduceActs, ...checked.data.appCode } as unknown as ReplayCode;
}

/** Returns the messages in a frame: the frame itself, or those of a snapshot. */
function messagesOf(frame: unknown): readonly unknown[] {
  if (!isJsonObject(frame)) return [];
  const kind = kindOf(frame);
  if (kind === 'message') return [frame];
  return kind === 'snapshot' && Array.isArray(frame.messages) ? frame.messages : [];
}
