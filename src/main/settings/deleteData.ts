import { errorCode, pluralize } from '#shared/formatText.ts';
import { readdir, rm, rmdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '#node/createLogger.ts';
import { fileErrorReason } from '#node/fileErrorReason.ts';
import type { LogTail } from '../base/createLog.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Messenger } from '../session/messenger.ts';
import type { WindowBounds } from '../window/windowBounds.ts';
import type { BuiltInPlatform } from './builtInPlatform.ts';
import type { PersistedPreferences } from './persistPreferences.ts';

/** The parts that the deletion stops, and the data that it deletes. */
interface DeleteDataOptions {
  readonly dataDir: string;
  readonly messenger: Pick<Messenger, 'signOut'>;
  readonly recorder: Pick<Recorder, 'idle'>;
  readonly preferences: Pick<PersistedPreferences, 'forget'>;
  readonly windowBounds: Pick<WindowBounds, 'forget'>;
  readonly tail: Pick<LogTail, 'clear'>;
  /** `undefined` while another platform is in use: its data is not here. */
  readonly builtInPlatform: Pick<BuiltInPlatform, 'deleteAll'> | undefined;
  /** `undefined` while another platform is in use. */
  readonly assistant: { forget(): Promise<void> } | undefined;
  /** Closes the inspector, which shows the conversation. */
  readonly closeInspector: () => void;
  /** Deletes the data that the pages store. */
  readonly clearPages: () => Promise<void>;
  readonly log: Logger;
}

const DELETED = 'Your data was deleted.';

/**
 * Deletes all data that Parley stores about the person, on their request:
 *
 *     signed out ─▶ no capture is being written ─▶ preferences, window bounds and assistant forgotten ─▶ platform, pages and files deleted
 *
 * In this order nothing writes a deleted file again. Continues after an error. Never rejects.
 *
 * @returns a sentence for the person: what was deleted, or what was not and why.
 */
export async function deleteData(
  options: DeleteDataOptions,
  { platformFile }: { readonly platformFile: boolean },
): Promise<string> {
  const { dataDir, messenger, recorder, preferences, windowBounds, tail, builtInPlatform, assistant, log } =
    options;
  const areStopped = [
    await succeeds(() => messenger.signOut()),
    await succeeds(options.closeInspector),
    await succeeds(() => recorder.idle()),
    await succeeds(() => preferences.forget()),
    await succeeds(() => windowBounds.forget()),
    await succeeds(async () => assistant?.forget()),
  ];
  const isRunning = areStopped.includes(false);
  const isPlatformLeft = platformFile && !(await succeeds(async () => builtInPlatform?.deleteAll()));
  const arePagesLeft = !(await succeeds(options.clearPages));
  tail.clear();
  const files = await deleteDataFiles(dataDir);
  const failed = files.failed.length;
  log.info(
    { deleted: files.deleted, failed, isRunning, isPlatformLeft, arePagesLeft },
    'the person’s data was deleted',
  );
  const left = [
    ...(isRunning ? ['A part of Parley could not be stopped: quit Parley, and delete your data again.'] : []),
    ...(isPlatformLeft ? ['The built-in platform did not delete its file.'] : []),
    ...(arePagesLeft ? ['What the pages store could not be deleted.'] : []),
    ...resultSentences(files),
  ];
  return left.length === 0 ? DELETED : `${left.join(' ')} The data folder is ${dataDir}`;
}

async function succeeds(step: () => Promise<void> | void): Promise<boolean> {
  try {
    await step();
    return true;
  } catch {
    return false;
  }
}

function resultSentences({ failed, foreign }: FileDeletion): string[] {
  const [first] = failed;
  return [
    ...(first === undefined
      ? []
      : [
          `${pluralize(failed.length, 'file')} could not be deleted; the first is ${first.path}: ${fileErrorReason(first.error)}.`,
        ]),
    ...(foreign === 0
      ? []
      : [
          `${pluralize(foreign, 'file')} in the folders of captures and logs stay, because Parley did not write them.`,
        ]),
  ];
}

/** The result of the deletion. Paths are relative to the data folder. */
interface FileDeletion {
  readonly deleted: number;
  readonly failed: readonly { readonly path: string; readonly error: unknown }[];
  /** How many files in our folders Parley did not write; they stay. */
  readonly foreign: number;
}

/** The names of Parley's files, by folder. Quarantined copies (`account.json.corrupt-1`) are included. */
const OURS: Readonly<Record<string, RegExp>> = {
  '.': /^(?:account|arrivals|assistant|preferences|window|starting|web-host)\.json(?:\..+)?$|^failed-start\.parley\.jsonl$|^\.parley-[0-9a-f]{24}\.tmp$/,
  captures: /\.parley\.jsonl(?:\..+)?$|\.golden\.json$|^\.parley-[0-9a-f]{24}\.tmp$/,
  logs: /^parley\b.*\.log(?:\..+)?$/,
};

/** The open log: it is truncated and not removed, because the logger appends to it. */
const OPEN_LOG = 'parley.log';

/**
 * Deletes the account, the arrivals, the assistant's settings, the preferences, the window bounds, every capture and every log from the data folder. Continues
 * after an error. Deletes no other files: a folder may contain the person's files.
 */
export async function deleteDataFiles(dataDir: string): Promise<FileDeletion> {
  const failed: { path: string; error: unknown }[] = [];
  let deleted = 0;
  let foreign = 0;
  const attempt = async (path: string, action: Promise<unknown>) => {
    try {
      await action;
      return true;
    } catch (error) {
      failed.push({ path, error });
      return false;
    }
  };
  const deleteOurs = async (folder: string, ours: RegExp) => {
    for (const name of await namesIn(join(dataDir, folder))) {
      const path = join(folder, name);
      if (!ours.test(name)) foreign += folder === '.' ? 0 : 1;
      else if (await attempt(path, deleteFile(join(dataDir, path), name))) deleted++;
    }
  };
  for (const [folder, ours] of Object.entries(OURS)) await attempt(folder, deleteOurs(folder, ours));
  // The folder stays when it is not empty, or is a link.
  await rmdir(join(dataDir, 'captures')).catch(() => {});
  return { deleted, failed, foreign };
}

const deleteFile = (path: string, name: string): Promise<void> =>
  name === OPEN_LOG ? truncate(path) : rm(path, { force: true });

/** @throws the system's error, unless the folder does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
