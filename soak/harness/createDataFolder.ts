import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Soak } from '../run/scenario.ts';

/** Creates a data folder for a scenario; removes it after the scenario. */
export function createDataFolder(soak: Pick<Soak, 'defer'>): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-soak-'));
  soak.defer(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** The account of `signIn`. */
export const ACCOUNT = 'account-1';

/** Writes the account file of an earlier run to a data folder, so that the messenger starts signed in. */
export function signIn(dataDir: string, platformUrl: string): void {
  const account = { version: 1, platform: platformUrl, account: ACCOUNT };
  writeFileSync(join(dataDir, 'account.json'), JSON.stringify(account), { mode: 0o600 });
}
