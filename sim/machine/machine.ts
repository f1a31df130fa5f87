import { HOST_SETTINGS, HostUsers } from '../network/hostUsers.ts';
import { type Endpoint, Network, type NetworkObserver } from '../network/network.ts';
import { fastifyOf, websocketPlugin } from '../network/server.ts';
import type { LoadProgram } from '../programs/loadProgram.ts';
import { type WallClock, partyProcess, timeGlobals } from '../world/partyGlobals.ts';
import { EPOCH, Party, type World } from '../world/world.ts';
import { Disk } from './disk.ts';
import { type Desktop, createElectron } from './electron.ts';
import { nodeModules, type StoreObserver, toolkitOf } from './nodeModules.ts';
import { pageGlobals } from './pageGlobals.ts';
import { sqliteOf } from './sqlite.ts';
import type { OpenPage, WebContents } from './webContents.ts';

/** The data folder. */
export const DATA = '/home/ada/parley';
export const OWNER_SECRET = 'owner-secret-7f3c91';
const PAGE_PATH = '/index.html';
/** The share of the histories in which the users of the machine sign in. */
const HOSTED = 0.25;

/** A run of main. */
export interface MainRun {
  readonly party: Party;
  readonly desktop: Desktop;
  /** Set once the store exists. */
  store: Parameters<StoreObserver['created']>[0] | undefined;
}

/** A run of the platform. */
export interface PlatformRun {
  readonly party: Party;
  /** Set once it listens. */
  running: { close(): Promise<void> } | undefined;
}

/** Receives what the programs do. */
export interface MachineObserver extends NetworkObserver {
  mainStarted(run: MainRun): void;
  reduced(run: MainRun, action: { readonly type: string }, state: unknown): void;
  windowReduced(contents: WebContents, action: { readonly type: string }, state: unknown): void;
  platformStarted(run: PlatformRun): void;
  /** A program wrote a line to stderr, or to the platform's log. */
  logged(program: string, line: string): void;
}

interface MachineOptions {
  readonly world: World;
  readonly load: LoadProgram;
  readonly observer: MachineObserver;
  /** Answers the platform's requests to the endpoint of the assistant. */
  readonly endpoint: Endpoint;
}

/** The simulated machine: its disk and clock, and the programs that run on it. */
export class Machine {
  readonly disk: Disk;
  readonly wall: WallClock = { offset: 0 };
  readonly network: Network;
  main: MainRun | undefined;
  platform: PlatformRun | undefined;
  /** The users of the machine, in the histories in which they are the accounts of the platform. */
  readonly hostUsers: HostUsers | undefined;
  readonly #pids = new Map<number, Party>();
  #lastPid = 1000;

  constructor(private readonly options: MachineOptions) {
    const { world, observer } = options;
    this.disk = new Disk(world);
    this.network = new Network(world, observer);
    if (world.randomOf('accounts').chance(HOSTED)) this.hostUsers = new HostUsers(this.today);
    for (const path of ['/tmp', '/home', '/home/ada', DATA]) {
      const mode = path === DATA ? 0o700 : 0o755;
      this.disk.name(path, this.disk.create(true, mode), 'mkdir');
    }
    this.disk.sync(this.disk.root);
  }

  today = (): Date => new Date(EPOCH + this.options.world.now() + this.wall.offset);

  /** Starts the built-in platform on the data folder. */
  startPlatform(): void {
    const { load, observer, endpoint } = this.options;
    const { hostUsers } = this;
    const { party, globals, modules, fs } = this.#program('platform', {});
    const run: PlatformRun = { party, running: undefined };
    this.platform = run;
    observer.platformStarted(run);
    const logger = this.#logger();
    const listening = (app: Parameters<Parameters<typeof fastifyOf>[1]>[0]) => {
      if (app !== undefined) this.network.listening = { app, party };
      else if (this.network.listening?.party === party) this.network.listening = undefined;
    };
    const fastify = fastifyOf(party, listening);
    const ask: Endpoint = (config) => {
      const isOfHost = config.url?.startsWith(HOST_SETTINGS.url) === true;
      return isOfHost && hostUsers ? hostUsers.answer(config, party) : endpoint(config, party);
    };
    party.schedule(0, () => {
      // The bundle exports what `startPlatform.ts` exports.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { startPlatform } = load('platform', {
        globals,
        modules: {
          ...modules,
          axios: this.network.axiosOf(party, ask),
          fastify,
          '@fastify/websocket': websocketPlugin,
          'node-sqlite3-wasm': sqliteOf(party, fs),
        },
      }) as { startPlatform: (options: object) => Promise<{ close(): Promise<void> }> };
      const dataFile = `${DATA}/platform.sqlite`;
      const host = hostUsers && HOST_SETTINGS;
      const options = { dataFile, port: 4311, logger, ownerSecret: OWNER_SECRET, host };
      void startPlatform(options).then(
        (running) => (run.running = running),
        (error: unknown) => {
          observer.logged('platform', String(error));
          party.kill();
        },
      );
    });
  }

  /** Starts main on the data folder. */
  startMain(): void {
    const { load, observer } = this.options;
    const environment = {
      PARLEY_DATA_DIR: DATA,
      PARLEY_CAPTURE: '1',
      PARLEY_BUILT_IN_API_URL: 'http://127.0.0.1:4311',
      PARLEY_BUILT_IN_PLATFORM_URL: 'ws://127.0.0.1:4311',
      PARLEY_BUILT_IN_SECRET: OWNER_SECRET,
    };
    const { party, globals, modules, exit } = this.#program('main', environment);
    const { module: electron, desktop } = createElectron({
      party,
      openPage: this.#openPage(party),
      onQuit: exit,
    });
    const run: MainRun = { party, desktop, store: undefined };
    this.main = run;
    observer.mainStarted(run);
    const redux = toolkitOf({
      created: (store) => void (run.store = store),
      reduced: (action, state) => party.isAlive && observer.reduced(run, action, state),
    });
    party.schedule(0, () =>
      load('main', {
        globals,
        modules: {
          ...modules,
          electron,
          ws: this.network.wsOf(party),
          axios: this.network.axiosOf(party),
          '@reduxjs/toolkit': redux,
        },
      }),
    );
  }

  /** Loses the power: both programs end, and the disk loses what was not synced. */
  crash(): void {
    this.main?.party.kill();
    this.platform?.party.kill();
    this.disk.crash();
  }

  /** Creates the party, the globals and the modules of a program. */
  #program(name: string, environment: Readonly<Record<string, string>>) {
    const { world, observer } = this.options;
    const pid = ++this.#lastPid;
    const party = new Party(world, `${name} ${pid}`);
    this.#pids.set(pid, party);
    const stderr = (text: string) => observer.logged(name, text);
    const isRunning = (other: number) => this.#pids.get(other)?.isAlive === true;
    const process = partyProcess({ party, pid, environment, stderr, isRunning });
    const globals = { ...timeGlobals(party, this.wall), process };
    const { modules, fs } = nodeModules({ party, disk: this.disk, stderr, today: this.today });
    const exit = () => party.attempt(() => process.exit(0));
    return { party, globals, modules, fs, exit };
  }

  #openPage(mainParty: Party): OpenPage {
    const { load, observer } = this.options;
    return ({ contents, party, ipcRenderer, url }) => {
      const { pathname } = new URL(url);
      const globals = pageGlobals({
        party,
        wall: this.wall,
        storage: contents.storage,
        pathname,
        reload: () => void mainParty.schedule(0, () => contents.reload()),
        fetch: (path) =>
          new Promise((resolve) => {
            const answer = (response: unknown) => void party.schedule(1, () => resolve(response));
            mainParty.schedule(1, () => void this.main?.desktop.fetch(`parley://app${path}`).then(answer));
          }),
      });
      const { window } = globals;
      const exposeInMainWorld = (key: string, api: unknown) => void (window[key] = api);
      const electron = { ipcRenderer, contextBridge: { exposeInMainWorld } };
      load('preload', { globals, modules: { electron } });
      if (pathname !== PAGE_PATH) return undefined;
      const redux = toolkitOf({
        created: () => undefined,
        reduced: (action, state) => party.isAlive && observer.windowReduced(contents, action, state),
      });
      return load('page', { globals, modules: { '@reduxjs/toolkit': redux } });
    };
  }

  #logger() {
    const line = (fields: unknown, message?: string) =>
      this.options.observer.logged('platform', JSON.stringify([fields, message]));
    const logger = { info: line, warn: line, error: line, debug: line, child: () => logger };
    return logger;
  }
}
