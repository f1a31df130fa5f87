import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { recv } from '#tests/builders/updateOf.ts';
import { captureIn } from '../testing/files.ts';
import { startS3Server } from './testing/startS3Server.ts';
import { gzipSync } from 'node:zlib';
import { readHar } from './readHar.ts';
import { writeHar } from './testing/har.ts';

const { state, url, stop } = await startS3Server();
afterAll(async () => {
  vi.unstubAllEnvs();
  await stop();
});

const ROOT = resolve(import.meta.dirname, '../../..');

test('contract §7 s3: says what to install without the client, and uses that of the working folder', async () => {
  const { at, path: capture } = await captureIn([recv(0, { name: 'Ada' })]);
  state.objects.set('day/a.parley.jsonl', await readFile(capture));
  // Outside of the project, the tool finds none of its packages.
  await cp(resolve(ROOT, 'out/replay'), at('tool'), { recursive: true });
  await writeFile(at('tool/package.json'), '{"type":"module"}');
  await mkdir(at('work/node_modules/@aws-sdk'), { recursive: true });
  const line = [at('tool/cli.js'), 'stats', '--per-update', url('day')];
  const stats = () => promisify(execFile)(process.execPath, line, { cwd: at('work') });
  const missing = 'needs the package @aws-sdk/client-s3, which is not installed';
  const stderr = `${url('day')}: ${missing}; run \`npm install @aws-sdk/client-s3@3\` in this folder\n`;
  await expect(stats()).rejects.toMatchObject({ code: 2, stdout: '', stderr });
  const client = 'node_modules/@aws-sdk/client-s3';
  await symlink(resolve(ROOT, client), at(`work/${client}`));
  expect(JSON.parse((await stats()).stdout)).toMatchObject({ capture: url('day/a.parley.jsonl'), update: 1 });
});

test('refuses a gzip file that decompresses to over 512 MB', async () => {
  const megabyte = gzipSync(Buffer.alloc(2 ** 20, ' '));
  const { har } = await writeHar(Buffer.concat(Array.from({ length: 513 }, () => megabyte)), 'x.har.gz');
  await expect(readHar(har)).rejects.toThrow('x.har.gz: is larger than 512 MB when it is decompressed');
});
