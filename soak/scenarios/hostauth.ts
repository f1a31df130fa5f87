import { execFileSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:net';
import {
  type HostAccount,
  type TemporaryAccounts,
  createTemporaryAccounts,
} from '#tests/builders/createTemporaryAccounts.ts';
import { createTemporaryPamService } from '#tests/builders/createTemporaryAccounts.ts';
import { type Hostauth, checkMemory, countOpenFiles, startHostauth } from './startHostauth.ts';
import { type Soak, scenario } from '../run/scenario.ts';

const FILES = ['passwd', 'shadow', 'group', 'gshadow', 'subuid', 'subgid'].map((name) => `/etc/${name}`);
const KEPT_SESSIONS = 6;
const PASSWORD = 'walk2sea-Every-morning!';
/** The service notices a changed account after 3 s. The rest is for a busy machine. */
const NOTICED_S = 8;
/** Number of attempts from one address before the next address. */
const GUESSES = 25;

interface Load {
  readonly soak: Soak;
  readonly service: Hostauth;
  readonly calls: HostauthCalls;
  readonly accounts: TemporaryAccounts;
  /** The account of the sessions. */
  readonly member: HostAccount;
  readonly administrator: HostAccount;
  readonly victim: HostAccount;
  readonly created: Set<string>;
  readonly stopped: AbortSignal;
  readonly counts: Record<Count, number>;
}

type Count =
  | 'sign-ins'
  | 'sign-ins that got 503'
  | '/me'
  | 'guesses'
  | 'creations'
  | 'lost clients'
  | 'kills';

/** Sign-ins, sessions, guessed passwords, new users and lost clients at the same time, on real accounts. */
export const hostauth = scenario({
  name: 'hostauth',
  sentence:
    'hostauth under mixed load with real accounts: no session is lost, no process grows, and each created user exists.',
  short: {
    createEverySeconds: 2,
    killEverySeconds: 2,
    loseEveryMs: 50,
    memory: { seconds: 8, slopeMb: 100, growthMb: 100 },
  },
  long: {
    createEverySeconds: 5,
    killEverySeconds: 10,
    loseEveryMs: 200,
    memory: { seconds: 600, slopeMb: 0.3, growthMb: 10 },
  },
  async run(soak, { createEverySeconds, killEverySeconds, loseEveryMs, memory }) {
    const stopping = new AbortController();
    // Each pause adds a listener.
    setMaxListeners(0, stopping.signal);
    const load = await prepare(soak, stopping.signal);
    const tasks = [
      ...Array.from({ length: KEPT_SESSIONS }, (_, index) => keepSession(load, index)),
      signInAndOut(load),
      guess(load),
      guess(load),
      createUsers(load, createEverySeconds),
      loseClients(load, loseEveryMs),
      killPamProcesses(load, killEverySeconds),
    ];
    const ended = Promise.all(tasks);
    soak.defer(async () => {
      stopping.abort();
      await ended;
    });
    await Promise.race([checkMemory(soak, load.service, memory), ended]);
    stopping.abort();
    await ended;
    report(load);
    const { http, helper, stop } = load.service;
    soak.check('both processes run all the time', http.isRunning() && helper.isRunning());
    const open = countOpenFiles(http.pid);
    soak.check('the connections of lost clients are closed', open < 100, open);
    const codes = await stop();
    soak.check('both processes stop at SIGTERM', codes.join() === '0,0', codes.join());
  },
});

async function prepare(soak: Soak, stopped: AbortSignal): Promise<Load> {
  if (process.getuid?.() !== 0) soak.skip('only root can make accounts to sign in to');
  const accounts = createTemporaryAccounts();
  const created = new Set<string>();
  soak.defer(() => {
    accounts.removeAll();
    const left = FILES.filter((file) =>
      [...created].some((name) => readFileSync(file, 'utf8').includes(name)),
    );
    soak.check('no account of the scenario is left', left.length === 0, left.join(' '));
  });
  const pam = createTemporaryPamService();
  soak.defer(pam.remove);
  const group = accounts.createGroup();
  created.add(group);
  const create = (groups: readonly string[] = []) => {
    const account = accounts.create({ groups });
    created.add(account.username);
    return account;
  };
  const [member, administrator, victim] = [create(), create([group]), create()];
  const service = await startHostauth(soak, {
    HOSTAUTH_PORT: '0',
    HOSTAUTH_PAM_SERVICE: pam.service,
    HOSTAUTH_ADMIN_GROUP: group,
    HOSTAUTH_TRUSTED_PROXIES: '127.0.0.1',
    // Sessions of lost clients end soon. All clients are the same few users.
    HOSTAUTH_IDLE_S: '60',
    HOSTAUTH_PER_USER: '1024',
  });
  const counts = {
    'sign-ins': 0,
    'sign-ins that got 503': 0,
    '/me': 0,
    guesses: 0,
    creations: 0,
    'lost clients': 0,
    kills: 0,
  };
  const calls = createHostauthCalls(service.url, ({ status }) => {
    if (status >= 500) soak.check('no answer is a 5xx other than 503', status === 503, status);
  });
  return { soak, service, calls, accounts, member, administrator, victim, created, stopped, counts };
}

/** Calls a task until the load stops. */
async function repeat({ stopped }: Load, ms: number, task: () => Promise<unknown>): Promise<void> {
  while (!stopped.aborted) {
    await task();
    await pause(ms, undefined, { signal: stopped }).catch(() => undefined);
  }
}

/** Signs in. Returns the token, or `undefined` for 503. */
async function signIn({ soak, calls, counts }: Load, address: string, account: HostAccount) {
  const { status, token } = await calls.signIn(address, account);
  counts['sign-ins']++;
  if (status === 503) counts['sign-ins that got 503']++;
  soak.check('a right password signs in', status === 200 || status === 503, status);
  return token === '' ? undefined : token;
}

/** Uses one session until the load stops. */
async function keepSession(load: Load, index: number): Promise<void> {
  const { soak, calls, counts, member } = load;
  const address = `10.8.0.${index + 1}`;
  let token: string | undefined;
  await repeat(load, 20, async () => {
    token ??= await signIn(load, address, member);
    if (token === undefined) return;
    const { status } = await calls.me(address, token);
    counts['/me']++;
    soak.check('no session is lost', status === 200, status);
  });
}

const signInAndOut = (load: Load) =>
  repeat(load, 100, async () => {
    const { soak, calls, member } = load;
    const token = await signIn(load, '10.8.1.1', member);
    if (token === undefined) return;
    const { status } = await calls.logOut('10.8.1.1', token);
    soak.check('a session ends by its logout', status === 204, status);
    soak.check('a session that has ended is refused', (await calls.me('10.8.1.1', token)).status === 401);
  });

const guess = (load: Load) =>
  repeat(load, 10, async () => {
    const { soak, calls, counts, victim } = load;
    const network = Math.floor(counts.guesses++ / GUESSES);
    const address = `10.9.${Math.floor(network / 250)}.${(network % 250) + 1}`;
    const { status } = await calls.signIn(address, { username: victim.username, password: 'a guess' });
    soak.check('a wrong password never signs in', [401, 429, 503].includes(status), status);
  });

/** Creates users. Each signs in, is locked, and loses its session. */
const createUsers = (load: Load, everySeconds: number) => {
  let token: string | undefined;
  return repeat(load, everySeconds * 1000, async () => {
    token ??= await signIn(load, '10.8.2.1', load.administrator);
    if (token !== undefined) await createUser(load, token);
  });
};

async function createUser(load: Load, token: string): Promise<void> {
  const { soak, calls, counts, accounts, created } = load;
  const user = { username: accounts.name(), password: PASSWORD };
  created.add(user.username);
  const { status } = await calls.createUser('10.8.2.1', token, user);
  const exists = readFileSync('/etc/passwd', 'utf8').includes(`\n${user.username}:`);
  soak.check('a user exists after a 201, and after no other status', (status === 201) === exists, status);
  // 503: another program has locked the files of the accounts.
  soak.check('users are created', status === 201 || status === 503, status);
  if (status !== 201) return;
  counts.creations++;
  const again = await calls.createUser('10.8.2.1', token, user);
  soak.check('a name that is taken is refused', again.status === 409 || again.status === 503, again.status);
  const own = await signIn(load, '10.8.2.2', user);
  if (own === undefined) return;
  const { status: whose } = await calls.me('10.8.2.2', own);
  soak.check('a created user has a session', whose === 200, whose);
  execFileSync('usermod', ['--lock', user.username], { stdio: 'ignore' });
  await soak.waitFor('the session of an account that is locked ends', NOTICED_S, async () => {
    await pause(200);
    return (await calls.me('10.8.2.2', own)).status === 401;
  });
}

const loseClients = (load: Load, everyMs: number) =>
  repeat(load, everyMs, async () => {
    const { soak, service, counts, member } = load;
    counts['lost clients']++;
    await loseSignIn(service.url, { ...member, share: Math.min(1, 2 * soak.random()) });
  });

const killPamProcesses = (load: Load, everySeconds: number) =>
  repeat(load, everySeconds * 1000, async () => {
    const { soak, service, counts } = load;
    const pids = service.pamPids();
    const pid = pids[Math.floor(soak.random() * pids.length)];
    if (pid === undefined) return;
    process.kill(pid, 'SIGKILL');
    counts.kills++;
  });

function report({ soak, counts }: Load): void {
  for (const [name, count] of Object.entries(counts)) soak.addFigure(name, count, '');
  const { kills, creations, 'sign-ins that got 503': busy } = counts;
  soak.check('a PAM process that is killed costs at most one sign-in', busy <= kills, `${busy} of ${kills}`);
  soak.check('users were created', creations > 0, creations);
}

/** A name and a password. */
interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The part of an answer that the scenario uses. */
interface Answer {
  readonly status: number;
  /** Empty unless a sign-in succeeded. */
  readonly token: string;
}

/** Returns functions that call hostauth once, each from a client address that it forwards as a trusted proxy. */
function createHostauthCalls(url: string, onAnswer: (answer: Answer) => void) {
  async function call(
    [method, path]: readonly [string, string],
    { address, token, body }: { readonly address: string; readonly token?: string; readonly body?: unknown },
  ): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-forwarded-for': address,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, token: /"token":"([\w-]+)"/.exec(text)?.[1] ?? '' };
    onAnswer(answer);
    return answer;
  }
  return {
    signIn: (address: string, body: Credentials) => call(['POST', '/auth'], { address, body }),
    me: (address: string, token: string) => call(['GET', '/me'], { address, token }),
    logOut: (address: string, token: string) => call(['POST', '/logout'], { address, token }),
    createUser: (address: string, token: string, body: Credentials) =>
      call(['POST', '/users'], { address, token, body }),
  };
}

/** The calls to a running service. */
type HostauthCalls = ReturnType<typeof createHostauthCalls>;

/** Sends a sign-in, or a part of it, and resets the connection before the answer. */
function loseSignIn(url: string, { share, ...credentials }: Credentials & { readonly share: number }) {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify(credentials);
  const head = `POST /auth HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: 10.7.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const text = head + body;
  return new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.write(text.slice(0, Math.ceil(text.length * share)), () => socket.resetAndDestroy());
  });
}
