/**
 * Runs the messenger or the inspector for development: a change of a page's source is shown without a reload where React
 * allows it, and a change of a program rebuilds and restarts the program.
 *
 *   node scripts/dev.mjs
 *   node scripts/dev.mjs inspector [capture]
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import open from 'open';
import { createPageServer } from './dev/createPageServer.mjs';
import { ProgramRunner, targets, watchBuilds } from './dev/programRunner.mjs';

const USAGE = `Usage: npm run dev [-- inspector [capture]]

  (nothing)    the messenger with its built-in platform, in the web host
  inspector    the inspector, with a capture when you name one

The settings of \`npm start\` and \`npm run replay -- open\` apply, except that the port is chosen freely.
PARLEY_OPEN=0 opens no browser.
`;

/** Returns what to run, or `undefined` for arguments that it does not understand. */
function chosenTarget([name = 'messenger', ...args]) {
  const isKnown = Object.hasOwn(targets, name) && args.length <= targets[name].mostArguments;
  return isKnown ? targets[name].start(args) : undefined;
}

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
  strict: false,
});
const target = chosenTarget(positionals);
if (values.help || target === undefined) {
  (values.help ? process.stdout : process.stderr).write(USAGE);
  process.exit(values.help ? 0 : 2);
}

const port = await freePort();
let isRunning = false;
const pages = await createPageServer(target, port);
const program = new ProgramRunner({ ...target, ...target.at(port) }, follow);
const builds = await watchBuilds(target.environments, () => void program.restart());
void program.restart();

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void close());
// Vite also handles SIGTERM and may end this process first.
process.exitCode = 0;
process.once('exit', () => void program.close());

async function close() {
  await Promise.all([builds.close(), program.close(), pages.close()]);
  process.exit(0);
}

/** Prints the page's address after the first start; after a restart, navigates open pages to the new program. */
function follow(invitation) {
  const { pathname, search } = new URL(invitation);
  const path = pathname + search;
  if (isRunning) return pages.navigate(path);
  isRunning = true;
  process.stdout.write(`${target.title} is ready at ${pages.origin}${path}\n`);
  if (process.env.PARLEY_OPEN !== '0') void open(`${pages.origin}${path}`);
}

/** Resolves with a free port, which the program uses for all its restarts. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}
