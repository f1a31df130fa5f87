import { fileErrorReason } from '#node/fileErrorReason.ts';
import { pluralize } from '#shared/formatText.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { LogTail } from '../base/logTail.ts';
import type { Logger } from '#node/createLogger.ts';
import type { Messenger } from '../session/messenger.ts';
import type { PersistedPreferences } from '../preferences/persistPreferences.ts';
import type { WindowBounds } from '../window/windowBounds.ts';
import type { BuiltInPlatform } from './builtInPlatform.ts';
import { type FileDeletion, deleteDataFiles } from './deleteDataFiles.ts';

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
