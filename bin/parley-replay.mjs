#!/usr/bin/env node
/** The replay tool, from anywhere. Like `npm run replay`, it first installs and builds what is missing. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const { status } = spawnSync(process.execPath, [at('scripts/setup.mjs'), '--build'], {
  stdio: ['ignore', process.stderr.fd, 'inherit'],
});
if (status === 0) await import('../out/replay/cli.js');
else process.exitCode = 2;
