/**
 * The program of the HTTP process. The helper is at the other end of the socket that `HOSTAUTH_HELPER_FD` (from the
 * process that started this one) or `HOSTAUTH_HELPER_SOCKET` names. It prints its address.
 */
import { Socket, connect } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { systemClock } from '../base/clock.ts';
import { ConfigError, loadConfig } from '../base/config.ts';
import { closeInheritedFiles, dropPrivileges, forbidCoreFiles } from '../base/privileges.ts';
import { endWithGrace } from '../base/endWithGrace.ts';
import { createHelperClient } from '../link/helperClient.ts';
import { createLogger } from '../base/logger.ts';
import { fail } from '../base/errors.ts';
import { notifySystemd } from '../base/notifySystemd.ts';
import { ListenError, startServer } from './startServer.ts';

const helperFd = process.env['HOSTAUTH_HELPER_FD'] ? Number(process.env['HOSTAUTH_HELPER_FD']) : undefined;
closeInheritedFiles(helperFd);
const config = loadConfig();
forbidCoreFiles();
const { logger, flush } = createLogger(process.stderr.isTTY);
process.on('exit', flush);
if (config.users === 'open') {
  logger.warn('HOSTAUTH_USERS=open: any program on this machine may create users');
}

const helper = createHelperClient({ connect: connectHelper, clock: systemClock, onLost });
const starting = startServer({ config, helper, logger, beforeListen: dropPrivileges }).catch(failBy);
endWithGrace(logger, async () => (await starting).close());
const { url } = await starting;
process.stdout.write(`hostauth is ready at ${url}\n`);
notifySystemd(process.env);

function connectHelper(): Promise<Duplex> {
  if (helperFd !== undefined) {
    return Promise.resolve(new Socket({ fd: helperFd, readable: true, writable: true }));
  }
  if (config.helperSocket !== null) return connected(connect(config.helperSocket));
  return fail(
    'HOSTAUTH_HELPER_SOCKET names no socket: start `npm run hostauth`, which starts both processes',
    2,
  );
}

async function connected(socket: Socket): Promise<Socket> {
  await once(socket, 'connect');
  return socket;
}

/** When the helper is the parent of this process, it is not restarted: this process ends. */
function onLost(detail: string): void {
  logger.error({ detail }, 'the link to the helper is lost');
  if (helperFd !== undefined) process.exit(1);
}

/** Ends the process: with 2 for a bad setting, with 1 for a port that cannot be used. */
function failBy(error: unknown): never {
  if (error instanceof ConfigError) fail(error.message, 2);
  if (error instanceof ListenError) fail(error.message, 1);
  throw error;
}
