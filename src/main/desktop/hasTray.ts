import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Asks the session bus whether the desktop shows tray icons: Electron shows them as status notifiers. */
const QUESTION = [
  ['call', '--session', '--timeout', '1'],
  ['--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'],
  ['--method', 'org.freedesktop.DBus.NameHasOwner', 'org.kde.StatusNotifierWatcher'],
].flat();

const run = promisify(execFile);
const askBus = async (): Promise<string> => (await run('gdbus', QUESTION, { timeout: 2000 })).stdout;

/**
 * Returns whether the desktop has a tray. Without one, a hidden window could be shown again only by another start of the program. Windows,
 * macOS and the web host always have one; a Linux desktop that does not answer has none.
 * @param os Node's `process.platform`, or `web` for the web host.
 */
export async function hasTray(os: string, ask = askBus): Promise<boolean> {
  if (os !== 'linux') return true;
  try {
    return (await ask()).includes('true');
  } catch {
    return false;
  }
}
