import type { EventEmitter } from 'node:events';
import type { Party } from '../world/world.ts';
import { CLOSED, type SimSocket } from './sockets.ts';

/** A request as it reaches the server. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The caller has closed the connection. */
  readonly closed: EventEmitter;
}

/** A complete response. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly ws: boolean;
  readonly raw: object;
}

type Hook = (request: Request, reply: Reply) => unknown;
type Handler = (request: Request, reply: Reply) => unknown;
type SocketHandler = (socket: SimSocket, request: Request) => unknown;

interface RouteOptions {
  readonly onRequest?: Hook;
  readonly preValidation?: Hook;
  readonly websocket?: boolean;
  readonly bodyLimit?: number;
}

interface Route extends RouteOptions {
  readonly method: string;
  readonly path: string;
  readonly handler: Handler | SocketHandler;
}

/** The response that a handler makes. */
class Reply {
  status = 200;
  body: string | undefined;
  constructor(readonly raw: EventEmitter) {}
  code(status: number): this {
    this.status = status;
    return this;
  }
  header = (): this => this;
  type = (): this => this;
  send(body?: unknown): this {
    this.body = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    return this;
  }
}

interface AppOptions {
  readonly bodyLimit?: number;
}

interface WebSocketOptions {
  readonly preClose?: (done: () => void) => void;
}

type Plugin = (app: App, options: object) => unknown;

class StatusError extends Error {
  constructor(readonly statusCode: number) {
    super(`status ${statusCode}`);
  }
}

/** The part of `fastify` with `@fastify/websocket` that the platform uses, without a network: `handle` and `upgrade` take the place of the connections. */
export class App {
  readonly websocketServer = {
    clients: new Set<SimSocket>(),
    close: (done: () => void) => this.#whenClosed(done),
  };
  readonly server = { address: () => ({ port: this.#port }) };
  readonly #routes: Route[] = [];
  readonly #hooks: Hook[] = [];
  readonly #closeHooks: (() => unknown)[] = [];
  readonly #plugins: Promise<unknown>[] = [];
  #port = 0;
  #preClose: ((done: () => void) => void) | undefined;
  #notFound: Handler = (_, reply) => reply.code(404).send('');
  #onError: (error: unknown, request: Request, reply: Reply) => unknown = (_, __, reply) => reply.code(500);

  constructor(
    private readonly options: AppOptions,
    private readonly listening: (app: App | undefined) => void,
  ) {}

  register(plugin: Plugin | typeof websocketPlugin, options: object = {}): this {
    if (plugin === websocketPlugin) {
      const { preClose }: WebSocketOptions = options;
      this.#preClose = preClose;
      // The plugin's type is a mark only.
    } else if (typeof plugin === 'function') this.#plugins.push(Promise.resolve(plugin(this, options)));
    return this;
  }

  setNotFoundHandler = (handler: Handler): void => void (this.#notFound = handler);
  setErrorHandler = (handler: (error: unknown, request: Request, reply: Reply) => unknown): void =>
    void (this.#onError = handler);

  addHook(name: 'onRequest' | 'onClose', hook: Hook): void {
    if (name === 'onRequest') this.#hooks.push(hook);
    else this.#closeHooks.push(() => Reflect.apply(hook, undefined, []));
  }

  get = (...args: RouteArguments): void => this.#add('GET', args);
  post = (...args: RouteArguments): void => this.#add('POST', args);
  put = (...args: RouteArguments): void => this.#add('PUT', args);
  delete = (...args: RouteArguments): void => this.#add('DELETE', args);

  async listen({ port }: { readonly port: number }): Promise<void> {
    await Promise.all(this.#plugins);
    this.#port = port;
    this.listening(this);
  }

  async close(): Promise<void> {
    this.listening(undefined);
    await new Promise<void>((resolve) => {
      if (this.#preClose === undefined) resolve();
      else this.#preClose(resolve);
    });
    for (const hook of this.#closeHooks) await hook();
  }

  /** Answers a request. */
  async handle(incoming: HttpRequest): Promise<HttpResponse> {
    const reply = new Reply(incoming.closed);
    const found = this.#find(incoming, false);
    const request = requestOf(incoming, found?.params ?? {}, false);
    try {
      if (!(await this.#runHooks([...this.#hooks, found?.route.onRequest], request, reply))) {
        const parsed = {
          ...request,
          body: parseBody(incoming, found?.route.bodyLimit ?? this.options.bodyLimit),
        };
        await this.#answer(found?.route.handler ?? this.#notFound, parsed, reply);
      }
    } catch (error) {
      reply.body = undefined;
      await this.#onError(error, request, reply);
    }
    return { status: reply.status, body: reply.body ?? '' };
  }

  /** Accepts a WebSocket; returns `undefined`, or the status of the refusal. */
  async upgrade(incoming: HttpRequest, socket: () => SimSocket): Promise<number | undefined> {
    const found = this.#find(incoming, true);
    if (found === undefined) return 404;
    const { route, params } = found;
    const reply = new Reply(incoming.closed);
    const request = requestOf(incoming, params, true);
    if (await this.#runHooks([...this.#hooks, route.preValidation], request, reply)) return reply.status;
    const opened = socket();
    const { clients } = this.websocketServer;
    clients.add(opened);
    opened.once('close', () => clients.delete(opened));
    // A route with `websocket` has a handler of sockets.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    (route.handler as SocketHandler)(opened, request);
    return undefined;
  }

  async #answer(handler: Handler | SocketHandler, request: Request, reply: Reply): Promise<void> {
    // A route without `websocket` has a handler of requests.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const sent = await (handler as Handler)(request, reply);
    if (sent !== reply && sent !== undefined && reply.body === undefined) reply.send(sent);
  }

  /** Returns whether a hook has answered. */
  async #runHooks(hooks: readonly (Hook | undefined)[], request: Request, reply: Reply): Promise<boolean> {
    for (const hook of hooks) {
      await hook?.(request, reply);
      if (reply.body !== undefined) return true;
    }
    return false;
  }

  #find({ method, url }: HttpRequest, isSocket: boolean) {
    const [path = ''] = url.split('?');
    for (const route of this.#routes) {
      if (route.method !== method || (route.websocket === true) !== isSocket) continue;
      const params = route.path.startsWith('/:')
        ? { [route.path.slice(2)]: decodeURIComponent(path.slice(1)) }
        : {};
      if (route.path === path || (route.path.startsWith('/:') && !path.slice(1).includes('/')))
        return { route, params };
    }
    return undefined;
  }

  #add(method: string, args: RouteArguments): void {
    const [path, second, third] = args;
    if (typeof second === 'function') this.#routes.push({ method, path, handler: second });
    else if (third !== undefined) this.#routes.push({ method, path, ...second, handler: third });
  }

  #whenClosed(done: () => void): void {
    const check = () => {
      const left = [...this.websocketServer.clients].filter(({ readyState }) => readyState !== CLOSED);
      if (left.length === 0) return done();
      return void left[0]?.once('close', () => queueMicrotask(check));
    };
    check();
  }
}

type RouteArguments =
  | readonly [path: string, handler: Handler]
  | readonly [path: string, options: RouteOptions, handler: Handler | SocketHandler];

/** Stands for the plugin `@fastify/websocket`. */
export const websocketPlugin = Object.freeze({ name: '@fastify/websocket' });

const requestOf = (
  { headers, url, method }: HttpRequest,
  params: Readonly<Record<string, string>>,
  ws: boolean,
): Request => ({
  params,
  headers,
  body: undefined,
  ws,
  raw: { headers, url, method, rawHeaders: Object.entries(headers).flat(), socket: { localPort: PORT } },
});

/** The port of the simulated platform. */
export const PORT = 4311;

function parseBody({ body, headers }: HttpRequest, limit = Infinity): unknown {
  if (body === undefined || body === '') return undefined;
  if (body.length > limit) throw new StatusError(413);
  if (!headers['content-type']?.includes('json')) throw new StatusError(415);
  try {
    return JSON.parse(body);
  } catch {
    throw new StatusError(400);
  }
}

/** Creates `fastify` for a party; `listening` is called with the app that listens. */
export const fastifyOf = (party: Party, listening: (app: App | undefined) => void) => {
  party.onEnd(() => listening(undefined));
  return (options: AppOptions) => new App(options, listening);
};
