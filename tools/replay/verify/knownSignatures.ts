import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import { readErrorReason } from '#files/fileErrorReason.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import { UsageError } from '../base/errors.ts';
import { fileStream } from '#files/fileStream.ts';
import { STDIN, captureName } from '../read/stdin.ts';

/** A list of signatures, or a report of `--reporter json`, all of whose signatures are then known. */
const schema = z.union([
  z.array(z.string()),
  z
    .object({ groups: z.array(z.object({ signature: z.string() })) })
    .transform(({ groups }) => groups.map(({ signature }) => signature)),
]);

/**
 * Reads a file of known signatures; `-` is stdin.
 * @throws {UsageError} when it cannot be read.
 */
export async function readKnownSignatures(path: string): Promise<ReadonlySet<string>> {
  const reading = async () => textOf(path === STDIN ? process.stdin : fileStream(path));
  const text = await reading().catch((error: unknown) => {
    throw new UsageError(`${captureName(path)}: ${readErrorReason(error)}`, { cause: error });
  });
  const known = schema.safeParse(tryParseJson(text));
  if (known.success) return new Set(known.data);
  throw new UsageError(
    `${captureName(path)}: is neither a JSON list of signatures nor a report of --reporter json`,
  );
}
