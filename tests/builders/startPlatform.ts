import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, get } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { platformInbox } from './platformInbox.ts';
import { type PlatformSocket, platformSocket } from './platformSocket.ts';

/** The response to `POST /auth`: an answer, `never` one, the beginning of one (`stalled`), or a connection that breaks. */
export type AuthAnswer =
  | { readonly status?: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  | 'never'
  | 'stalled'
  | 'destroyed';

/** Answers 200 and `account-1` until `answer` is called; any other path than `/auth` gets 404 and is not recorded. */
function platformAuth() {
  const requests = platformInbox<{
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }>();
  let current: AuthAnswer | Promise<AuthAnswer> = { body: 'account-1' };
  return {
    /** Every request to `/auth`, when its body is complete. */
    requests,
    /** Sets the response to every request from now on. A promise delays them until it resolves. */
    answer: (next: AuthAnswer | Promise<AuthAnswer>) => void (current = next),
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { method = '', url: path = '', headers } = request;
      if (path !== '/auth') {
        response.writeHead(404).end();
        return;
      }
      const answer = current;
      requests.push({ method, path, headers, body: await text(request) });
      give(await answer, response);
    },
  };
}

function give(answer: AuthAnswer, response: ServerResponse): void {
  if (answer === 'never') return;
  if (answer === 'destroyed') response.destroy();
  else if (answer === 'stalled') response.writeHead(200, { 'content-length': 100 }).write('account');
  else response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '');
}

/** The response to a WebSocket upgrade: accepted, `held` without a response, or an HTTP status. */
type UpgradeAnswer = 'accepted' | 'held' | number;

/** A platform whose responses the test decides, with real HTTP and real WebSockets on a port of 127.0.0.1. */
export type ScriptedPlatform = Awaited<ReturnType<typeof startPlatform>>;

/** Returns the environment variables with which `npm start` uses a platform. */
export const platformEnvironment = ({
  apiUrl,
  platformUrl,
}: Pick<ScriptedPlatform, 'apiUrl' | 'platformUrl'>): Record<string, string> => ({
  PARLEY_API_URL: apiUrl,
  PARLEY_PLATFORM_URL: platformUrl,
});

/** Starts a platform; `port` can be that of a platform that was stopped before. */
export async function startPlatform({ port: wanted = 0 } = {}) {
  const auth = platformAuth();
  const upgrades = platformInbox<string>();
  const sockets = platformInbox<PlatformSocket>();
  const held = new Set<Duplex>();
  let upgradeAnswer: UpgradeAnswer = 'accepted';
  let answersPings = true;

  const webSockets = new WebSocketServer({ noServer: true, autoPong: false });
  const server = createServer((request, response) => void auth.handle(request, response));
  server.on('upgrade', (request, tcpSocket, head) => {
    const path = request.url ?? '';
    // A client may break a connection that was refused or held.
    tcpSocket.on('error', () => undefined);
    upgrades.push(path);
    if (upgradeAnswer === 'accepted') {
      webSockets.handleUpgrade(request, tcpSocket, head, (socket) =>
        sockets.push(platformSocket(socket, { path, answersPings, tcpSocket })),
      );
    } else if (upgradeAnswer === 'held') held.add(tcpSocket);
    else tcpSocket.end(`HTTP/1.1 ${upgradeAnswer} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  await once(server.listen(wanted, '127.0.0.1'), 'listening');
  const { port }: { port: number } = Object(server.address());
  const host = `127.0.0.1:${port}`;

  return {
    /** The specification's {api_url} and {platform_url}. */
    apiUrl: `http://${host}`,
    platformUrl: `ws://${host}`,
    port,
    auth,
    /** The paths of all upgrades, accepted or not. */
    upgrades,
    sockets,
    answerUpgrades: (next: UpgradeAnswer) => void (upgradeAnswer = next),
    /** Sets whether sockets accepted from now on answer pings; by default they do. */
    answerPings: (answers: boolean) => void (answersPings = answers),
    /** Makes round trips on other connections: what this process sent before has arrived. Use it to check that something did *not* happen. */
    async roundTrip(): Promise<void> {
      for (let trip = 0; trip < 3; trip++) await answerOf(`http://${host}/round-trip`);
    },
    /** Breaks all connections and frees the port. */
    async stop(): Promise<void> {
      for (const tcpSocket of held) tcpSocket.destroy();
      for (const socket of sockets.all) socket.terminate();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const answerOf = (url: string) =>
  new Promise<void>((resolve, reject) => {
    get(url, { agent: false }, (response) => response.on('end', resolve).resume()).on('error', reject);
  });
