import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, type Server, createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createAppBrowser } from '../testing/appBrowser.ts';
import { CERTIFICATE, KEY } from '#platform/endpoint/testing/certificates.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { PASSWORD, testApp } from '../testing/testApp.ts';

const HOST = 'wiki.example.org';
const OTHER = 'git.example.org';
const ADA = { username: 'ada', password: PASSWORD };
const PATH = '/page?a=1&b=%2F';
const LOCATION = '/.hostauth/sign-in?return=%2Fpage%3Fa%3D1%26b%3D%252F';
const PAGE = { host: HOST, path: PATH };
const SIGN_IN = { host: HOST, path: LOCATION };

/** Fields that only the proxy may set. */
const HOSTILE = {
  'remote-user': 'root',
  'remote-groups': 'sudo',
  Remote_User: 'root',
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-host': OTHER,
  'x-forwarded-uri': '/evil',
};

type Ports = Readonly<Record<'proxy' | 'hostauth' | 'app', number>>;

/** Returns the only recipe of docs/hostauth.md for a proxy of an app, with the ports of the test. */
async function recipe(language: string, { hostauth, app }: Ports): Promise<string> {
  const page = await readFile(resolve(import.meta.dirname, '../../docs/hostauth.md'), 'utf8');
  const [, section = ''] = page.split('\n## In front of a web app\n');
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm');
  const found = block.exec(section.split('\n## ')[0] ?? '')?.[1];
  if (found === undefined) throw new Error(`no recipe for ${language}`);
  return found
    .replaceAll('127.0.0.1:4320', `127.0.0.1:${hostauth}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${app}`);
}

const nginxConfig = (server: string, { proxy }: Ports, folder: string) => `
daemon off;
pid ${folder}/pid;
error_log stderr notice;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
  ${server
    .replace('listen 443', `listen 127.0.0.1:${proxy}`)
    .replace('/etc/ssl/wiki/fullchain.pem', `${folder}/cert.pem`)
    .replace('/etc/ssl/wiki/key.pem', `${folder}/key.pem`)}
}
`;

const caddyConfig = (site: string, { proxy }: Ports, folder: string) => `
{
  admin off
  default_bind 127.0.0.1
  https_port ${proxy}
  auto_https off
  servers {
    protocols h1
  }
}
${site.replace(/^wiki\.example\.org \{$/m, `https://$&\n  tls ${folder}/cert.pem ${folder}/key.pem`)}`;

const PROXIES = {
  nginx: {
    config: nginxConfig,
    args: (file: string, folder: string) => ['-p', folder, '-c', file, '-e', 'stderr'],
    ready: 'start worker processes',
  },
  caddy: {
    config: caddyConfig,
    args: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
    ready: 'serving initial configuration',
  },
} as const;

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return Object(server.address()).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((done) => server.close(done));
  return port;
}

async function runProxy(name: keyof typeof PROXIES, ports: Ports): Promise<void> {
  const { config, args, ready } = PROXIES[name];
  const folder = mainFolder();
  const file = join(folder, 'config');
  await writeFile(file, config(await recipe(name, ports), ports, folder));
  await writeFile(join(folder, 'cert.pem'), CERTIFICATE);
  await writeFile(join(folder, 'key.pem'), KEY);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(name, args(file, folder), { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  let log = '';
  const isReady = new Promise<void>((done) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
      if (log.includes(ready)) done();
    });
  });
  await Promise.race([isReady, ended.then(() => Promise.reject(new Error(log)))]);
}

const installed = (['nginx', 'caddy'] as const).filter((name) => {
  const isMissing = spawnSync(name, ['-v']).error !== undefined;
  if (isMissing) process.stderr.write(`skipped: the tests of the sign-in for apps with ${name} (missing)\n`);
  return !isMissing;
});

test.each(installed)(
  '%s: signs in, refuses an account that is not in the group, passes on who it is, and signs out; drops the fields that a client sends, and mounts no other call',
  async (name) => {
    const { helper, audited, port } = await testApp({
      appHosts: [HOST, OTHER],
      trustedProxies: ['127.0.0.1'],
    });
    helper.groups.set('ada', ['ada', 'staff']);
    /** What the app got. */
    const requests: { headers: IncomingHttpHeaders; names: string[]; body: string }[] = [];
    const keep = async (request: IncomingMessage) => {
      const names = request.rawHeaders.filter((_, at) => at % 2 === 0).map((field) => field.toLowerCase());
      requests.push({ headers: request.headers, names, body: await text(request) });
    };
    const app = createServer(
      (request, response) => void keep(request).finally(() => response.end('the app')),
    );
    const ports = { proxy: await freePort(), hostauth: port, app: await listen(app) };
    await runProxy(name, ports);
    const browser = createAppBrowser(ports.proxy, { isTls: true });
    await browser.signIn(SIGN_IN, { username: 'bob', password: PASSWORD });
    expect(await browser.send(PAGE)).toMatchObject({ status: 403 });
    browser.cookies.clear();
    const refused = { status: 302, headers: { location: LOCATION } };
    for (const headers of [{}, HOSTILE])
      expect(await browser.send({ ...PAGE, headers })).toMatchObject(refused);
    expect(await browser.signIn(SIGN_IN, { ...ADA, password: 'wrong' })).toMatchObject({ status: 401 });
    expect(requests).toEqual([]);
    const signedIn = await browser.signIn({ ...SIGN_IN, headers: HOSTILE }, ADA);
    expect(signedIn).toMatchObject({ status: 303, headers: { location: PATH } });
    expect(await browser.send({ ...PAGE, headers: HOSTILE })).toMatchObject({ status: 200, body: 'the app' });
    expect(await browser.send({ ...PAGE, form: { text: 'a long text' } })).toMatchObject({ status: 200 });
    expect(requests).toMatchObject([
      { headers: { 'remote-user': 'ada', 'remote-groups': 'ada,staff', host: HOST } },
      { headers: { 'remote-user': 'ada' }, body: 'text=a+long+text' },
    ]);
    const passedOn = requests[0]?.names.filter((field) => field.startsWith('remote'));
    expect(passedOn?.toSorted()).toEqual(['remote-groups', 'remote-user']);
    const created = { audit: 'session created', address: '127.0.0.1' };
    expect(audited()).toContainEqual(expect.objectContaining(created));
    expect(audited().every(({ address }) => address === '127.0.0.1')).toBe(true);
    for (const call of ['verify', 'metrics', 'me', 'sign-in/../me']) {
      const { body } = await browser.send({ host: HOST, path: `/.hostauth/${call}` });
      expect(body).not.toMatch(/hostauth_events|username/);
    }
    await browser.signOut(SIGN_IN);
    expect(await browser.send(PAGE)).toMatchObject({ status: 302 });
  },
);
