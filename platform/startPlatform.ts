import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Clock, systemClock } from '#shared/clock.ts';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { type AssistantHolder, createAssistantHolder } from './assistant/assistant.ts';
import { createAssistants } from './assistant/createAssistants.ts';
import { NO_LOOPBACK, isNoLoopback } from '#loopback/access.ts';
import { errorCode } from '#shared/formatText.ts';
import { type PlatformLimits, readPlatformLimits } from './routes/platformLimits.ts';
import { writeOwnerFile } from './ownerFile.ts';
import { accountRoutes, assistantRoutes, createIsOwner } from './routes/ownerRoutes.ts';
import { createPlatform } from './createPlatform.ts';
import { createEndpoint } from './endpoint/createEndpoint.ts';
import { listEndpoint, testEndpoint } from './endpoint/testEndpoint.ts';
import type { EndpointSettings } from './endpoint/endpointSettings.ts';
import { createHostEntrance } from './hostSignIn/hostEntrance.ts';
import type { HostSettings } from './hostSignIn/hostSettings.ts';
import { createPlatformMetrics } from './routes/platformMetrics.ts';
import type { PlatformStore } from './storage/platformStore.ts';

/** The default port. */
export const PLATFORM_PORT = 4311;
export { PLATFORM_FILE } from './storage/platformFile.ts';

const HOST = '127.0.0.1';
/** Maximum number of ports to try, starting with the default one. */
const PORTS = 100;

/** Who may register: everyone who reaches the port, or only the owner. */
export type Registration = 'open' | 'owner';

/** The options of `startPlatform`. */
export interface StartOptions {
  /** The file that stores everything; its folder must exist. */
  readonly dataFile: string;
  /** `null` or `undefined`: 4311, or the next free port; 0: any. */
  readonly port?: number | null;
  readonly logger: Logger;
  readonly clock?: Clock;
  /**
   * The secret with which a caller may delete everything (`DELETE /accounts`), revoke accounts and choose the assistant. It is
   * in `platform-owner.json` beside the file while the platform runs. Without it, no caller may.
   */
  readonly ownerSecret?: string;
  /** Who may register: everyone by default, or only a caller with the owner's secret, without which nobody may. */
  readonly registration?: Registration;
  /** The endpoint from which answers come; `null` or `undefined`: the demonstration answers. */
  readonly assistant?: EndpointSettings | null;
  /** The users of this machine sign in; `null` or `undefined`: the platform has accounts of its own. */
  readonly host?: HostSettings | null;
  /** Default: the defaults of each. */
  readonly limits?: PlatformLimits;
  /** scrypt's cost for new accounts. Tests that create many accounts use a low one. */
  readonly passwordCost?: number;
}

/** A running platform. */
export interface RunningPlatform {
  readonly port: number;
  /** The spec's {api_url}, without a trailing slash. */
  readonly apiUrl: string;
  /** The spec's {platform_url}, without a trailing slash. */
  readonly platformUrl: string;
  readonly assistant: AssistantHolder;
  /** Closes every socket (1001, no reason), ends every answer, and resolves when everything is on the disk. */
  close(): Promise<void>;
}

/** The requested port is in use or forbidden. `message` is one line that names it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Loads the file and starts the platform on 127.0.0.1.
 * @throws {DataFolderError} when the file cannot be used.
 * @throws {ListenError} when the port is in use or forbidden.
 */
export async function startPlatform(options: StartOptions): Promise<RunningPlatform> {
  const {
    dataFile,
    port = null,
    logger,
    clock = systemClock(globalThis),
    ownerSecret,
    registration = 'open',
    limits = readPlatformLimits({}),
    passwordCost,
  } = options;
  // SQLite is loaded only when this platform runs.
  const { openStore } = await import('./storage/platformStore.ts');
  const metrics = createPlatformMetrics();
  const store = openStore({ path: dataFile, clock, logger, onCommit: metrics.committed });
  metrics.showAccounts(() => store.count());
  const assistant = createAssistantHolder(options.assistant);
  const onAnswer = metrics.answered;
  const assistants = createAssistants({
    holder: assistant,
    openEndpoint: createEndpoint,
    clock,
    newId: randomUUID,
    logger,
    onAnswer,
  });
  const accounts = createAccounts({ store, assistants, clock, passwordCost });
  const settings = options.host ?? null;
  const host =
    settings === null ? undefined : createHostEntrance({ settings, store, assistants, clock, logger });
  const canWrite = () => store.canWrite();
  const isOwner = registration === 'owner' ? createIsOwner(ownerSecret ?? randomUUID()) : undefined;
  const app = createPlatform({ accounts, limits, host, isOwner, canWrite, clock, logger, metrics });
  if (host !== undefined) app.addHook('onClose', async () => host.sessions.close());
  if (ownerSecret !== undefined) addOwnerRoutes(app, { accounts, assistant, ownerSecret, clock, logger });
  const actual = await listenOnPort(app, port).catch((error: unknown) => {
    store.closeSync();
    throw error;
  });
  logger.info({ port: actual }, 'the platform listens');
  const apiUrl = `http://${HOST}:${actual}`;
  const removeOwnerFile = publishOwner(dirname(dataFile), apiUrl, { ...options, store });
  return {
    port: actual,
    apiUrl,
    platformUrl: `ws://${HOST}:${actual}`,
    assistant,
    close: createClose({ app, accounts, store, removeOwnerFile }),
  };
}

/**
 * Tells the commands of an administrator where the platform is; returns the function that ends this. Without the file, for example on a full
 * disk, the platform runs, and these commands do not find it.
 */
function publishOwner(folder: string, apiUrl: string, { ownerSecret, store, logger }: OwnerFile): () => void {
  if (ownerSecret === undefined) return () => undefined;
  try {
    return writeOwnerFile(folder, { apiUrl, secret: ownerSecret });
  } catch (error) {
    logger.error({ code: errorCode(error) }, NO_OWNER_FILE);
    // Finds out, and logs, whether the platform can only read; clients that connect are told.
    void store.canWrite();
    return () => undefined;
  }
}

interface OwnerFile extends Pick<StartOptions, 'ownerSecret' | 'logger'> {
  readonly store: PlatformStore;
}

const NO_OWNER_FILE =
  'the platform’s owner file cannot be written: until the next start, the commands accounts, revoke and restore do not find the platform';

/** Adds the routes for the program that started the platform. */
function addOwnerRoutes(app: FastifyInstance, options: OwnerRouteOptions): void {
  const { accounts, assistant, ownerSecret, clock, logger } = options;
  const test = (endpoint: EndpointSettings, signal: AbortSignal) => testEndpoint(endpoint, { clock, signal });
  const list = (endpoint: EndpointSettings, signal: AbortSignal) => listEndpoint(endpoint, { clock, signal });
  void app.register(accountRoutes, { accounts, ownerSecret, logger });
  void app.register(assistantRoutes, { assistant, ownerSecret, test, list, logger });
}

interface OwnerRouteOptions {
  readonly accounts: Accounts;
  readonly assistant: AssistantHolder;
  readonly ownerSecret: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Closing {
  readonly app: FastifyInstance;
  readonly accounts: Accounts;
  readonly store: PlatformStore;
  readonly removeOwnerFile: () => void;
}

/** Returns the function that ends the platform. When the process exits without it, the remaining data is written. */
function createClose({ app, accounts, store, removeOwnerFile }: Closing): () => Promise<void> {
  const onExit = () => {
    removeOwnerFile();
    store.closeSync();
  };
  process.on('exit', onExit);
  return async () => {
    // The clients receive the end of their answers before their sockets close.
    accounts.finish();
    await store.settle();
    await app.close();
    // What a client has sent meanwhile.
    accounts.finish();
    await store.close();
    removeOwnerFile();
    process.off('exit', onExit);
  };
}

const listenOnPort = (app: FastifyInstance, port: number | null): Promise<number> =>
  port === null ? listenFrom(app, PLATFORM_PORT) : listen(app, port);

async function listenFrom(app: FastifyInstance, first: number): Promise<number> {
  for (let port = first; port < first + PORTS; port++) {
    const actual = await tryPort(app, port);
    if (actual !== null) return actual;
  }
  throw new ListenError(`ports ${first} to ${first + PORTS - 1} are taken: free one, or name another`);
}

async function listen(app: FastifyInstance, port: number): Promise<number> {
  const actual = await tryPort(app, port);
  if (actual === null) throw new ListenError(`port ${port} is taken: free it, or name another`);
  return actual;
}

/** Listens on a port; resolves to it, or to `null` when it is in use. */
async function tryPort(app: FastifyInstance, port: number): Promise<number | null> {
  try {
    await app.listen({ port, host: HOST });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EADDRINUSE') return null;
    if (isNoLoopback(error)) throw new ListenError(NO_LOOPBACK, { cause: error });
    throw new ListenError(`cannot listen on port ${port} (${code ?? 'unknown'}): name another`, {
      cause: error,
    });
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
