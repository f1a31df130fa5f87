import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { z } from 'zod';
import { errorCode } from '#shared/formatText.ts';
import { isJsonObject, tryParseJson } from '#shared/json.ts';
import type { Logger } from '#node/createLogger.ts';
import { quarantineFile, writeFileAtomically } from '#node/writeFileAtomically.ts';

/** A small file of the program. A start also works without it. */
export interface JsonFile<T> {
  /** Returns the contents, or `undefined` when there are no valid contents. */
  read(): T | undefined;
  /** Writes the file atomically. Fields of an object that the schema does not know, those of a newer version, stay as they are. */
  write(value: T): void;
}

interface Options<T> {
  readonly path: string;
  /** Validates the contents. When it accepts unknown fields, it must remove them. */
  readonly schema: z.ZodType<T>;
  readonly log: Logger;
}

/**
 * Returns the JSON file at `path`. A corrupt file is quarantined; a failed read or write is logged, and the program
 * continues.
 */
export function jsonFile<T>({ path, schema, log }: Options<T>): JsonFile<T> {
  const file = basename(path);
  const load = () => {
    if (!existsSync(path)) return undefined;
    const value = schema.safeParse(tryParseJson(readFileSync(path, 'utf8'))).data;
    if (value === undefined) log.error({ kept: quarantineFile(path) }, `${file} is corrupt: a copy is kept`);
    return value;
  };
  return {
    read() {
      try {
        return load();
      } catch (error) {
        log.error({ code: errorCode(error) }, `${file} could not be read`);
        return undefined;
      }
    },
    write(value) {
      try {
        const contents = isJsonObject(value) ? { ...unknownFields(path, schema), ...value } : value;
        writeFileAtomically(path, `${JSON.stringify(contents, null, 2)}\n`);
      } catch (error) {
        log.error(
          { code: errorCode(error) },
          `${file} could not be written: the change is lost at the next start`,
        );
      }
    },
  };
}

/** Returns the fields of the file that the schema removes; none when the file is missing or not valid. */
function unknownFields(path: string, schema: z.ZodType) {
  const contents = existsSync(path) ? tryParseJson(readFileSync(path, 'utf8')) : undefined;
  const known = schema.safeParse(contents).data;
  if (!isJsonObject(contents) || !isJsonObject(known)) return {};
  return Object.fromEntries(Object.entries(contents).filter(([name]) => !Object.hasOwn(known, name)));
}
