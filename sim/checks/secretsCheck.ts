import { basename } from 'node:path';
import { type Disk, textOf } from '../machine/disk.ts';
import type { SimWindow } from '../machine/browserWindows.ts';
import type { World } from '../world/world.ts';
import { pageOf } from './windowCheck.ts';

/** The files that are there to contain a secret: of the account, of the assistant, and of the platform. */
const KEEPERS =
  /^(?:account|assistant|instance|platform-owner)\.json|^platform\.sqlite|^\.parley-[0-9a-f]{24}\.tmp$|^[0-9a-f]{32}\.json$/u;

interface Places {
  readonly disk: Disk;
  readonly logs: readonly string[];
  readonly windows: Iterable<SimWindow>;
}

/** Check 6: no password, token, key or account identifier is in captures, logs, the windows' states or error texts. */
export function checkSecrets(world: World, secrets: Iterable<string>, { disk, logs, windows }: Places): void {
  const texts: [where: string, text: string][] = [['a line of a log', logs.join('\n')]];
  for (const [path, node] of disk.files('/home/ada'))
    if (!KEEPERS.test(basename(path))) texts.push([path, textOf(node)]);
  for (const window of windows) {
    const state = pageOf(window)?.store.getState();
    if (state !== undefined) texts.push(['the state of a window', JSON.stringify(state)]);
    texts.push(['the storage of a page', [...window.webContents.storage.values()].join('\n')]);
  }
  for (const secret of secrets)
    for (const [where, text] of texts)
      if (text.includes(secret)) world.fail(6, `${where} contains the secret ${secret.slice(0, 6)}…`);
}
