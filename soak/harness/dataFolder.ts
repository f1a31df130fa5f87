import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Soak } from '../run/scenario.ts';

/** A data folder of the scenario's own, removed with it. */
export function dataFolder(soak: Pick<Soak, 'defer'>): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-soak-'));
  soak.defer(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** The account that scenarios are signed in with. */
export const ACCOUNT = 'account-1';

/** Signs a data folder in at a platform, as an earlier run of the messenger would have. */
export function signIn(dataDir: string, platformUrl: string): void {
  const account = { version: 1, platform: platformUrl, account: ACCOUNT };
  writeFileSync(join(dataDir, 'account.json'), JSON.stringify(account), { mode: 0o600 });
}
