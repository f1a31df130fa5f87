import { Mutex } from 'async-mutex';
import { fileErrorReason } from '#node/fileErrorReason.ts';
import type { Logger } from '#node/createLogger.ts';
import { errorCode } from '#shared/formatText.ts';
import type {
  AssistantChange,
  AssistantDialogData,
  AssistantResult,
  AssistantSummary,
  AssistantMistake,
  AssistantSettings,
} from '#shared/protocol/assistantSettings.ts';
import type { Clock } from '#shared/clock.ts';
import type { BuiltInPlatform } from '../data/builtInPlatform.ts';
import type { AssistantFile } from './assistantFile.ts';
import { mergeChange } from './mergeChange.ts';
import { testAssistant } from './testAssistant.ts';

/** The settings of the built-in platform's assistant, in the app. */
export interface Assistant {
  /** Returns what the settings dialog shows about them. */
  summary(): AssistantSummary;
  /** Returns what their own dialog shows. */
  dialogData(): AssistantDialogData;
  /** Stores settings and gives them to the platform; `null` selects the demonstration. Never rejects. */
  save(change: AssistantChange | null): Promise<AssistantResult>;
  /** Tests settings without storing them; `null`: those in use. Never rejects. */
  test(change: AssistantChange | null, signal: AbortSignal): Promise<AssistantResult>;
  /**
   * Deletes the settings, and selects the demonstration unless the environment sets the assistant.
   * @throws when the file cannot be deleted, or when the platform does not confirm it.
   */
  forget(): Promise<void>;
}

interface Options {
  readonly platform: BuiltInPlatform;
  readonly file: AssistantFile;
  /** What the environment sets; `undefined`: nothing. */
  readonly fixed: AssistantDialogData | undefined;
  /** The loaded settings. */
  readonly loaded: AssistantSettings | null;
  readonly clock: Clock;
  readonly log: Logger;
}

const FIXED = 'The environment sets the assistant. To choose it here, start Parley without these variables.';
const NOT_ACCEPTED =
  'The settings are stored, but the built-in platform did not accept them. Save them again, or start Parley again.';

/** Creates the settings of the assistant with the loaded ones. The key leaves them to the file and to the platform only. */
export function createAssistant({ platform, file, fixed, loaded, clock, log }: Options): Assistant {
  let current = loaded;
  /** One change follows another. */
  const mutex = new Mutex();
  const store = async (settings: AssistantSettings | null) => {
    if (settings === null) file.remove();
    else await file.write(settings);
    current = settings;
  };
  const save = async (change: AssistantChange | null): Promise<AssistantResult> => {
    if (fixed !== undefined) return failed(FIXED);
    const settings = change === null ? null : mergeChange(change, current);
    if (isMistake(settings)) return { kind: 'failed', ...settings };
    try {
      await store(settings);
    } catch (error) {
      log.error({ code: errorCode(error) }, 'the assistant’s settings could not be stored');
      return failed(`The settings could not be stored: ${fileErrorReason(error)}.`);
    }
    return platform.setAssistant(settings).then(
      () => ({ kind: 'saved' }),
      () => failed(NOT_ACCEPTED),
    );
  };
  return {
    summary: () => summaryOf(fixed ?? dialogDataOf(current)),
    dialogData: () => fixed ?? dialogDataOf(current),
    save: (change) => mutex.runExclusive(() => save(change)),
    async test(change, signal) {
      const settings = change === null ? null : mergeChange(change, current);
      if (isMistake(settings)) return { kind: 'failed', ...settings };
      return testAssistant(settings, { platform, clock, signal });
    },
    forget: () =>
      mutex.runExclusive(async () => {
        await store(null);
        if (fixed === undefined) await platform.setAssistant(null);
      }),
  };
}

const isMistake = (merged: AssistantSettings | AssistantMistake | null): merged is AssistantMistake =>
  merged !== null && 'message' in merged;

const failed = (message: string): AssistantResult => ({ kind: 'failed', field: null, message });

const summaryOf = ({ url, model }: AssistantDialogData): AssistantSummary => ({
  url: url === '' ? null : url,
  model: model === '' ? null : model,
});

const dialogDataOf = (settings: AssistantSettings | null): AssistantDialogData => ({
  url: settings?.url ?? '',
  model: settings?.model ?? '',
  prompt: settings?.prompt ?? '',
  hasKey: settings !== null && settings.key !== null,
  variables: [],
});
