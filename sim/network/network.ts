import { EventEmitter } from 'node:events';
import { AxiosError, CanceledError, type InternalAxiosRequestConfig, create, isAxiosError } from 'axios';
import { type Party, type Random, type World } from '../world/world.ts';
import type { App, HttpResponse } from './server.ts';
import { CONNECTING, type Line, SimSocket, createLine } from './sockets.ts';

/** The requests of the platform to the endpoint of its assistant. */
export type Endpoint = (config: InternalAxiosRequestConfig, party: Party) => Promise<unknown>;

/** A WebSocket of main, with its line. */
export interface Connection {
  readonly client: SimSocket;
  readonly line: Line;
  server: SimSocket | undefined;
}

/** Receives what passes the network. */
export interface NetworkObserver {
  /** Main begins to connect. */
  connecting(client: SimSocket): void;
  connected(connection: Connection, account: string): void;
  clientClosed(client: SimSocket, code: number, reason: string): void;
  /** The platform has answered a sign-in with a form. */
  authenticated(response: HttpResponse, form: string): void;
  requested(method: string, path: string): void;
}

const HOST = '127.0.0.1:4311';

const connectionError = (code: string) => Object.assign(new Error(code), { code });

/** The network between main and the platform: WebSockets, and requests by HTTP. */
export class Network {
  /** The platform that listens, and its party. */
  listening: { readonly app: App; readonly party: Party } | undefined;
  /** Until this time, upgrades are refused with 503. */
  refusesUntil = 0;
  /** Until this time, upgrades are not answered. */
  silentUntil = 0;
  /** The probability that a request or its response is lost. */
  lossOfRequests = 0;
  /** The probability that a request is accepted and never answered. */
  silence = 0;
  /** The requests of running programs that are not settled, with their times. */
  readonly pending = new Map<object, { readonly path: string; readonly party: Party; readonly at: number }>();
  readonly connections = new Set<Connection>();
  #lines = 0;
  readonly #random: Random;

  constructor(
    private readonly world: World,
    private readonly observer: NetworkObserver,
  ) {
    this.#random = world.randomOf('network');
  }

  /** Returns the module `ws` for main. */
  wsOf(party: Party): object {
    const connect = (socket: SimSocket, url: string) => this.#connect(socket, url);
    const newLine = () => createLine(this.world, ++this.#lines);
    class WebSocket extends SimSocket {
      constructor(url: string) {
        super(party, newLine());
        connect(this, url);
      }
    }
    return { WebSocket, default: WebSocket };
  }

  #connect(client: SimSocket, url: string): void {
    const { line, party } = client;
    const account = decodeURIComponent(new URL(url).pathname.slice(1));
    const connection: Connection = { client, line, server: undefined };
    this.connections.add(connection);
    this.observer.connecting(client);
    client.onFinish = (code, reason) => {
      this.connections.delete(connection);
      this.observer.clientClosed(client, code, reason);
    };
    const refuse = (error: Error) => void party.schedule(this.#delay(), () => client.refuse(error));
    const platform = this.listening;
    if (platform === undefined) {
      refuse(connectionError('ECONNREFUSED'));
      return;
    }
    platform.party.onEnd(() => refuse(connectionError('ECONNRESET')));
    platform.party.schedule(this.#delay(), () => {
      if (client.readyState !== CONNECTING || this.world.now() < this.silentUntil) return;
      if (this.listening !== platform || this.world.now() < this.refusesUntil) {
        refuse(new Error('Unexpected server response: 503'));
        return;
      }
      const accept = () => this.#accept(connection, platform.party, account);
      void platform.app.upgrade(upgradeOf(account), accept).then((status) => {
        if (status !== undefined) refuse(new Error(`Unexpected server response: ${status}`));
        return undefined;
      });
    });
  }

  /** Makes a connection; returns the platform's side. */
  #accept(connection: Connection, platform: Party, account: string): SimSocket {
    const { client, line } = connection;
    const server = new SimSocket(platform, line);
    server.peer = client;
    client.peer = server;
    connection.server = server;
    const opensAfter = this.#delay();
    client.arrival = this.world.now() + opensAfter;
    client.party.schedule(opensAfter, () => {
      if (client.readyState === CONNECTING && !line.isDead) client.open();
    });
    server.open();
    this.observer.connected(connection, account);
    return server;
  }

  /** Returns the module `axios` for a party: the real one, whose requests go to the simulated platform or endpoint. */
  axiosOf(party: Party, endpoint?: Endpoint): object {
    const adapter = (config: InternalAxiosRequestConfig) =>
      endpoint !== undefined ? endpoint(config, party) : this.#request(config, party);
    // The adapter's response has axios's form; the types of axios ask for more than the product reads.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const instance = create({ adapter: adapter as never });
    return Object.assign(instance, { AxiosError, isAxiosError });
  }

  #request(config: InternalAxiosRequestConfig, party: Party): Promise<unknown> {
    const url = new URL(`${config.baseURL ?? ''}${config.url ?? ''}`);
    const closed = new EventEmitter();
    this.pending.set(closed, { path: url.pathname, party, at: this.world.now() });
    return new Promise((settled, refused) => {
      const resolve = (response: object) => (this.pending.delete(closed), settled(response));
      const reject = (error: unknown) => (this.pending.delete(closed), refused(error));
      const fail = (code: string) => reject(new AxiosError(code, code, config, {}));
      const failLater = (code: string) => void party.schedule(this.#delay(), () => fail(code));
      const abort = () => {
        closed.emit('close');
        reject(new CanceledError(undefined, config));
      };
      config.signal?.addEventListener?.('abort', abort);
      if ((config.timeout ?? 0) > 0) party.schedule(config.timeout ?? 0, () => fail('ECONNABORTED'));
      const platform = this.listening;
      const isLost = this.#random.chance(this.lossOfRequests);
      const isResponseLost = isLost && this.#random.chance(0.5);
      if (isLost) this.world.fault(isResponseLost ? 'response lost' : 'request lost', url.pathname);
      if (platform === undefined || (isLost && !isResponseLost)) {
        failLater(platform === undefined ? 'ECONNREFUSED' : 'ECONNRESET');
        return;
      }
      platform.party.onEnd(() => failLater('ECONNRESET'));
      if (this.#random.chance(this.silence)) return this.world.fault('request unanswered', url.pathname);
      const request = { ...requestOf(config, url), closed };
      this.observer.requested(request.method, url.pathname);
      const answered = (response: HttpResponse) => {
        if (!platform.party.isAlive) return;
        closed.emit('close');
        if (url.pathname === '/auth') this.observer.authenticated(response, request.body ?? '');
        if (isResponseLost) failLater('ECONNRESET');
        else party.schedule(this.#delay(), () => settle(response, config, { resolve, reject }));
      };
      platform.party.schedule(this.#delay(), () => void platform.app.handle(request).then(answered));
    });
  }

  #delay = (): number => this.#random.between(0.1, 15);
}

/** Returns the request that opens the socket of an account. */
const upgradeOf = (account: string) => ({
  method: 'GET',
  url: `/${encodeURIComponent(account)}`,
  headers: { host: HOST, upgrade: 'websocket' },
  closed: new EventEmitter(),
});

/** Returns a request as the platform receives it. */
function requestOf(config: InternalAxiosRequestConfig, url: URL) {
  const given = Object.entries(config.headers.toJSON());
  const headers = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const body = typeof config.data === 'string' ? config.data : undefined;
  const method = (config.method ?? 'get').toUpperCase();
  return { method, url: url.pathname, headers: { ...headers, host: HOST }, body };
}

interface Settling {
  readonly resolve: (response: object) => void;
  readonly reject: (error: unknown) => void;
}

function settle(
  { status, body }: HttpResponse,
  config: InternalAxiosRequestConfig,
  { resolve, reject }: Settling,
) {
  const response = { data: body, status, statusText: '', headers: {}, config, request: {} };
  const { validateStatus } = config;
  if (!validateStatus || validateStatus(status)) return resolve(response);
  const code = status >= 500 ? AxiosError.ERR_BAD_RESPONSE : AxiosError.ERR_BAD_REQUEST;
  return reject(new AxiosError(`status ${status}`, code, config, {}, response));
}
