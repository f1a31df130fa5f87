import { Mutex } from 'async-mutex';
import { join } from 'node:path';
import type { Logger } from '#node/createLogger.ts';
import { fileErrorReason } from '#node/fileErrorReason.ts';
import type { Clock } from '#shared/clock.ts';
import { errorCode } from '#shared/formatText.ts';
import { ASSISTANT_TEST_MS } from '#shared/limits.ts';
import {
  type AssistantChange,
  type AssistantDialogData,
  type AssistantInUse,
  type AssistantMistake,
  assistantMistake,
  type AssistantResult,
  type AssistantSettings,
  type AssistantSummary,
} from '#shared/protocol/assistantSettings.ts';
import type { Environment, Settings } from '#shared/settings.ts';
import type { Encryption } from '../base/storedSecret.ts';
import { assistantFile, type AssistantFile } from './assistantFile.ts';
import { builtInPlatform, type BuiltInPlatform } from './builtInPlatform.ts';

interface Options {
  readonly dataDir: string;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly encryption: Encryption;
  readonly clock: Clock;
  readonly log: Logger;
  /** Receives sentences for the person. */
  readonly notify: (text: string) => void;
}

/**
 * Loads the stored settings of the assistant and gives them to the built-in platform. Those of the environment win: then none are
 * loaded. It resolves before a session is launched, so that the first answer comes from the right assistant. It never rejects.
 * @returns `undefined` when another platform is in use.
 */
export async function setUpAssistant(options: Options): Promise<Assistant | undefined> {
  const platform = builtInPlatform(options.settings, options.environment);
  if (platform === undefined) return undefined;
  const file = assistantFile({ ...options, path: join(options.dataDir, 'assistant.json') });
  const fixed = assistantVariables(options.environment);
  const loaded = fixed === undefined ? await file.read() : null;
  if (loaded !== null) await giveToPlatform(loaded, { ...options, platform });
  return createAssistant({ ...options, platform, file, fixed, loaded });
}

interface GiveToPlatformOptions extends Pick<Options, 'clock' | 'log' | 'notify'> {
  readonly platform: Pick<BuiltInPlatform, 'setAssistant'>;
}

const TRIES = 3;
const RETRY_MS = 500;

const NOT_GIVEN =
  'The built-in platform did not accept the assistant’s settings. Open Settings, then Assistant, and save them again.';

/** Gives the stored settings to the platform at the start, and tries again after an error. Never rejects. */
export async function giveToPlatform(
  settings: AssistantSettings,
  { platform, clock, log, notify }: GiveToPlatformOptions,
): Promise<void> {
  for (let left = TRIES; left > 0; left--) {
    try {
      await platform.setAssistant(settings);
      return;
    } catch {
      if (left > 1) await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
    }
  }
  log.error('the platform did not accept the assistant’s settings');
  notify(NOT_GIVEN);
}

const MODEL_VARIABLE = 'PARLEY_ASSISTANT_MODEL';
const NAMES = [
  'PARLEY_ASSISTANT_URL',
  MODEL_VARIABLE,
  'PARLEY_ASSISTANT_KEY',
  'PARLEY_ASSISTANT_KEY_FILE',
  'PARLEY_ASSISTANT_PROMPT',
] as const;

/**
 * Returns what the dialog "Assistant" shows when the environment sets the assistant (contract §2); `undefined` when it does not. The
 * program that starts the built-in platform reads and checks the values.
 */
export function assistantVariables(environment: Environment): AssistantDialogData | undefined {
  const value = (name: (typeof NAMES)[number]) => environment[name]?.trim() ?? '';
  const variables = NAMES.filter((name) => value(name) !== '');
  if (variables.length === 0) return undefined;
  return {
    url: value('PARLEY_ASSISTANT_URL'),
    model: value(MODEL_VARIABLE),
    prompt: value('PARLEY_ASSISTANT_PROMPT'),
    hasKey: variables.some((name) => name.startsWith('PARLEY_ASSISTANT_KEY')),
    variables,
  };
}

/** The settings of the built-in platform's assistant, in the app. */
export type Assistant = ReturnType<typeof createAssistant>;

interface CreateAssistantOptions extends Pick<Options, 'clock' | 'log'> {
  readonly platform: BuiltInPlatform;
  readonly file: AssistantFile;
  /** What the environment sets; `undefined`: nothing. */
  readonly fixed: AssistantDialogData | undefined;
  /** The loaded settings. */
  readonly loaded: AssistantSettings | null;
}

const FIXED = 'The environment sets the assistant. To choose it here, start Parley without these variables.';
const NOT_ACCEPTED =
  'The settings are stored, but the built-in platform did not accept them. Save them again, or start Parley again.';

const MODEL_FIXED =
  'The environment sets the model. To choose it here, start Parley without PARLEY_ASSISTANT_MODEL.';
const NOT_CHOSEN = 'The built-in platform did not accept the model. Choose it again.';

/** Creates the stored settings, with the loaded ones. */
function createStored({ file, loaded, log }: Pick<CreateAssistantOptions, 'file' | 'loaded' | 'log'>) {
  let current = loaded;
  const store = async (settings: AssistantSettings | null) => {
    if (settings === null) file.remove();
    else await file.write(settings);
    current = settings;
  };
  return {
    get: () => current,
    /** @throws when the file cannot be written. */
    store,
    /** Resolves to why the file cannot be written, or to `null`. */
    tryStore: (settings: AssistantSettings | null) =>
      store(settings).then(
        () => null,
        (error: unknown) => {
          log.error({ code: errorCode(error) }, 'the assistant’s settings could not be stored');
          return failed(`The settings could not be stored: ${fileErrorReason(error)}.`);
        },
      ),
  };
}

/** Creates the settings of the assistant with the loaded ones. The key leaves them to the file and to the platform only. */
function createAssistant({ platform, clock, ...options }: CreateAssistantOptions) {
  let { fixed } = options;
  const stored = createStored(options);
  /** The model that the endpoint gives when these settings have none, as its list said. */
  let found: { readonly model: string; readonly of: AssistantSettings | null } | null = null;
  /** One change follows another. */
  const mutex = new Mutex();
  const dialogData = () => fixed ?? dialogDataOf(stored.get());
  const save = async (change: AssistantChange | null): Promise<AssistantResult> => {
    if (fixed !== undefined) return failed(FIXED);
    const settings = change === null ? null : mergeChange(change, stored.get());
    if (isMistake(settings)) return { kind: 'failed', ...settings };
    return (
      (await stored.tryStore(settings)) ?? resultOf(platform.setAssistant(settings), 'saved', NOT_ACCEPTED)
    );
  };
  const chooseModel = async (model: string): Promise<AssistantResult> => {
    if (fixed?.variables.includes(MODEL_VARIABLE) === true) return failed(MODEL_FIXED);
    const settings = stored.get();
    const isStored = fixed === undefined && settings !== null;
    const failure = isStored ? await stored.tryStore({ ...settings, model }) : null;
    const result = failure ?? (await resultOf(platform.setModel(model), 'chosen', NOT_CHOSEN));
    if (fixed !== undefined && result.kind === 'chosen') fixed = { ...fixed, model };
    return result;
  };
  return {
    /** Returns what the settings dialog shows about them. */
    summary: () => summaryOf(dialogData()),
    /** Returns what their own dialog shows. */
    dialogData,
    /** Returns who answers. */
    inUse(): AssistantInUse {
      const { url, model } = summaryOf(dialogData());
      return {
        isDemonstration: url === null,
        model: model ?? (found?.of === stored.get() ? found.model : null),
      };
    },
    /** Stores settings and gives them to the platform; `null` selects the demonstration. Never rejects. */
    save: (change: AssistantChange | null) => mutex.runExclusive(() => save(change)),
    /** Changes the model: in the stored settings, or until the program ends when the environment sets the others. Never rejects. */
    chooseModel: (model: string) => mutex.runExclusive(() => chooseModel(model)),
    /** Requests the model in use and the list of models. Never rejects. */
    async models(signal: AbortSignal): Promise<AssistantResult> {
      const settings = stored.get();
      const list = { testAssistant: (_: null, ended: AbortSignal) => platform.listModels(ended) };
      const result = await testAssistant(null, { platform: list, clock, signal });
      if (result.kind === 'tested') found = { model: result.model, of: settings };
      return result;
    },
    /** Tests settings without storing them; `null`: those in use. Never rejects. */
    async test(change: AssistantChange | null, signal: AbortSignal): Promise<AssistantResult> {
      const settings = change === null ? null : mergeChange(change, stored.get());
      if (isMistake(settings)) return { kind: 'failed', ...settings };
      return testAssistant(settings, { platform, clock, signal });
    },
    /**
     * Deletes the settings, and selects the demonstration unless the environment sets the assistant.
     * @throws when the file cannot be deleted, or when the platform does not confirm it.
     */
    forget: (): Promise<void> =>
      mutex.runExclusive(async () => {
        await stored.store(null);
        if (fixed === undefined) await platform.setAssistant(null);
      }),
  };
}

const resultOf = (
  request: Promise<void>,
  kind: 'saved' | 'chosen',
  message: string,
): Promise<AssistantResult> =>
  request.then(
    () => ({ kind }),
    () => failed(message),
  );

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

const OTHER_SERVER: AssistantMistake = {
  field: 'key',
  message: 'The stored key belongs to another server. Enter the key of this one, or remove the stored key.',
};

/**
 * Returns the settings that a change makes of the current ones, or the first mistake. The stored key is used for the server only for
 * which it was entered, so that no change of the address sends it to another one.
 */
export function mergeChange(
  { keepsKey, ...entered }: AssistantChange,
  current: AssistantSettings | null,
): AssistantSettings | AssistantMistake {
  const settings = keepsKey ? { ...entered, key: current?.key ?? null } : entered;
  const mistake = assistantMistake(settings);
  if (mistake !== undefined) return mistake;
  if (keepsKey && settings.key !== null && !isSameServer(settings.url, current?.url)) return OTHER_SERVER;
  return settings;
}

const isSameServer = (url: string, other = ''): boolean =>
  URL.canParse(other) && new URL(url).origin === new URL(other).origin;

interface TestAssistantOptions {
  readonly platform: Pick<BuiltInPlatform, 'testAssistant'>;
  readonly clock: Clock;
  /** Aborted when the person cancels the test. */
  readonly signal: AbortSignal;
}

const SLOW = `The server has not answered within ${ASSISTANT_TEST_MS / 1000} s. Check the address, or test again when the server is less busy.`;
const CANCELLED = 'The test was cancelled.';
const NOT_TESTED = 'The built-in platform could not run the test. Try again.';

/** Tests settings through the platform, for a limited time; `null`: those in use. Never rejects. */
export async function testAssistant(
  settings: AssistantSettings | null,
  { platform, clock, signal }: TestAssistantOptions,
): Promise<AssistantResult> {
  const timeout = new AbortController();
  const cancelTimeout = clock.after(ASSISTANT_TEST_MS, () => timeout.abort());
  try {
    const result = await platform.testAssistant(settings, AbortSignal.any([signal, timeout.signal]));
    return result.ok
      ? { kind: 'tested', model: result.model, models: result.models }
      : failed(result.message);
  } catch {
    if (signal.aborted) return failed(CANCELLED);
    return failed(timeout.signal.aborted ? SLOW : NOT_TESTED);
  } finally {
    cancelTimeout();
  }
}
