import { existsSync, readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import type { Logger } from '#node/createLogger.ts';
import { quarantineFile, writeFileAtomically } from '#node/writeFileAtomically.ts';
import { errorCode } from '#shared/formatText.ts';
import { tryParseJson } from '#shared/json.ts';
import { type AssistantSettings, assistantSettingsSchema } from '#shared/protocol/assistantSettings.ts';
import {
  decryptSecret,
  type Encryption,
  encryptSecret,
  FILE_VERSION,
  fileVersionSchema,
  isOfNewerVersion,
  storedSecretSchema,
} from '../base/storedSecret.ts';

/** The file with the settings of the assistant. */
export type AssistantFile = ReturnType<typeof assistantFile>;

interface Options {
  readonly path: string;
  readonly encryption: Encryption;
  readonly log: Logger;
  /** Receives a sentence for the person about a file that cannot be used. */
  readonly notify: (text: string) => void;
}

/** Other fields are those of a newer version. */
const storedSchema = z.looseObject({
  version: fileVersionSchema,
  url: z.string(),
  model: z.string().nullable(),
  prompt: z.string().nullable(),
  key: storedSecretSchema.nullable(),
});

const CHOOSE_AGAIN =
  'The demonstration answers. To connect your assistant again, open Settings, then Assistant.';

/** Stores the settings of the assistant in one file, with mode 0600; the key like the account. A corrupt file is quarantined; a file that this host cannot decrypt, or that a newer version wrote in another form, is left unchanged. */
export function assistantFile(options: Options) {
  const { path, encryption, log, notify } = options;
  const write = async (settings: AssistantSettings) => {
    const { url, model, prompt } = settings;
    const key = settings.key === null ? null : await encryptSecret(settings.key, encryption);
    const contents = existsSync(path) ? storedSchema.safeParse(readJson(path)).data : undefined;
    writeFileAtomically(
      path,
      JSON.stringify({ version: FILE_VERSION, ...contents, url, model, prompt, key }),
    );
  };
  return {
    /** Resolves to the stored settings; to `null` when there are none, or when they cannot be used. Never rejects. */
    async read(): Promise<AssistantSettings | null> {
      try {
        const read = await readSettings(options);
        // Encrypts it again with the new key.
        if (read?.shouldReEncrypt === true) await write(read.settings);
        return read?.settings ?? null;
      } catch (error) {
        log.error({ code: errorCode(error) }, 'the assistant’s file could not be read');
        notify(`The file with the assistant’s settings could not be read. ${CHOOSE_AGAIN}`);
        return null;
      }
    },
    /**
     * Writes the settings atomically. Fields of a newer version stay as they are in the file.
     * @throws the system's error.
     */
    write,
    /** Deletes the file. @throws the system's error. */
    remove: (): void => rmSync(path, { force: true }),
  };
}

const readJson = (path: string): unknown => tryParseJson(readFileSync(path, 'utf8'));

/** Reads the file; resolves to `undefined` when there is none, or when it cannot be used. */
async function readSettings({ path, encryption, log, notify }: Options) {
  if (!existsSync(path)) return undefined;
  const json = readJson(path);
  const stored = storedSchema.safeParse(json).data;
  const secret = stored?.key ?? null;
  const key = secret === null ? NO_KEY : await decryptSecret(secret, encryption);
  if (key === undefined) {
    log.warn({ path }, 'the assistant’s key was encrypted on another host: the file is unchanged');
    notify(`The assistant’s key was stored on another computer and cannot be read here. ${CHOOSE_AGAIN}`);
    return undefined;
  }
  const settings = assistantSettingsSchema.safeParse(stored && settingsOf(stored, key.result)).data;
  if (settings === undefined && isOfNewerVersion(json)) {
    log.warn({ path }, 'the assistant’s file is of a newer version: the file is unchanged');
    notify(`A newer version of Parley has stored the assistant’s settings. ${CHOOSE_AGAIN}`);
    return undefined;
  }
  if (settings === undefined) {
    log.error({ kept: quarantineFile(path) }, 'the assistant’s file is corrupt: a copy is kept');
    notify(`The file with the assistant’s settings is damaged, and a copy is kept. ${CHOOSE_AGAIN}`);
    return undefined;
  }
  return { settings, shouldReEncrypt: key.shouldReEncrypt };
}

const NO_KEY = { result: null, shouldReEncrypt: false } as const;

const settingsOf = ({ url, model, prompt }: z.infer<typeof storedSchema>, key: string | null) => ({
  url,
  model,
  key,
  prompt,
});
