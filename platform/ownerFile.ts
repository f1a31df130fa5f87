import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '#node/writeFileAtomically.ts';
import { errorCode } from '#shared/formatText.ts';
import { tryParseJson } from '#shared/json.ts';

/** The file by which a command finds the running platform of a data folder. Only the owner of the folder can read it. */
const OWNER_FILE = 'platform-owner.json';

const ownerSchema = z.object({ apiUrl: z.url(), secret: z.string().min(1) });

/** The address of a running platform, and its owner's secret. */
export type Owner = z.infer<typeof ownerSchema>;

/**
 * Writes the file with mode 0600; returns a function that removes it. On a disk that cannot be written the file stays, as that of a killed platform does.
 * @throws the system's error when it cannot be written.
 */
export function writeOwnerFile(folder: string, owner: Owner): () => void {
  const path = join(folder, OWNER_FILE);
  writeFileAtomically(path, `${JSON.stringify(owner)}\n`);
  return () => {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
    }
  };
}

/** Returns the owner of the running platform; `null` without a file. A killed platform leaves its file. */
export function readOwnerFile(folder: string): Owner | null {
  try {
    const text = readFileSync(join(folder, OWNER_FILE), 'utf8');
    return ownerSchema.safeParse(tryParseJson(text)).data ?? null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
