/**
 * The helper as a program of its own, for systemd: it listens on the Unix socket that `HOSTAUTH_HELPER_SOCKET` names,
 * which only root and the user of the HTTP process can open.
 */
import { chownSync, readFileSync, rmSync } from 'node:fs';
import { type Server, connect, createServer } from 'node:net';
import { once } from 'node:events';
import { errorMessage, fail } from '../base/errors.ts';
import { forbidCoreFiles, unprivilegedUser } from '../base/privileges.ts';
import { loadConfig } from '../base/config.ts';
import { notifySystemd } from '../base/notifySystemd.ts';
import { createHelperLog } from '../base/stderrWriter.ts';
import { createHostHelper } from './helper.ts';
import { checkPam } from './pam/pamBinding.ts';
import { loadProofKey } from './accounts/localAccounts.ts';
import { serveHelper } from '../link/serveHelper.ts';

/** For one HTTP process, and its successor while it ends. */
const MAX_CONNECTIONS = 4;
/** The longest that the calls in progress may take to end. */
const DRAIN_MS = 30_000;

const config = loadConfig();
const path = config.helperSocket ?? fail('HOSTAUTH_HELPER_SOCKET must name the socket of the helper', 2);
const missing = checkPam(config.pamService);
if (missing !== undefined) fail(missing, 2);
forbidCoreFiles();
const log = createHelperLog();
const helper = createHostHelper({ config, log, key: loadProofKey(process.env['RUNTIME_DIRECTORY']) });
const server = createServer((socket) => {
  serveHelper(socket, helper, (detail) => log('info', 'an HTTP process has disconnected', { detail }));
});
server.maxConnections = MAX_CONNECTIONS;
endAtSignals();
await listen(server);
log('info', 'ready');
notifySystemd(process.env);

/** Listens on the socket. It is created for root alone, then its owner changes: no other user can open it at any time. */
async function listen(listening: Server): Promise<void> {
  if (await isInUse()) fail(`another helper listens on ${path}: stop it first`, 1);
  rmSync(path, { force: true });
  process.umask(0o177);
  listening.listen(path);
  await once(listening, 'listening').catch((error: unknown) => {
    fail(`cannot listen on ${path} (${errorMessage(error)}): name another`, 1);
  });
  process.umask(0o077);
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = unprivilegedUser(readFileSync('/etc/passwd', 'utf8'));
  chownSync(path, uid, gid);
}

function isInUse(): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path)
      .once('connect', () => {
        probe.destroy();
        resolve(true);
      })
      .once('error', () => resolve(false));
  });
}

async function finish(): Promise<void> {
  await helper.close();
  log('info', 'stopped');
  // After the last answers are written.
  setImmediate(() => process.exit(0));
}

/** Ends the process at a signal, when the calls in progress are completed. */
function endAtSignals(): void {
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    server.close();
    void finish();
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}
