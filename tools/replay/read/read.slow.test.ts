import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { temporaryFolder, writeCapture } from '../testing/files.ts';
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
  const at = await temporaryFolder();
  const capture = await writeCapture(at('x.parley.jsonl'), [recv(0, { name: 'Ada' })]);
  state.objects.set('day/a.parley.jsonl', await readFile(capture));
  // Outside of the project, the tool finds none of its packages.
  await cp(resolve(ROOT, 'out/replay'), at('tool'), { recursive: true });
  await writeFile(at('tool/package.json'), '{"type":"module"}');
  await mkdir(at('work/node_modules/@aws-sdk'), { recursive: true });
  const stats = () =>
    promisify(execFile)(process.execPath, [at('tool/cli.js'), 'stats', '--per-update', url('day')], {
      cwd: at('work'),
    });
  await expect(stats()).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: `${url('day')}: needs the package @aws-sdk/client-s3, which is not installed; run \`npm install @aws-sdk/client-s3@3\` in this folder\n`,
  });
  await symlink(resolve(ROOT, 'node_modules/@aws-sdk/client-s3'), at('work/node_modules/@aws-sdk/client-s3'));
  expect(JSON.parse((await stats()).stdout)).toMatchObject({ capture: url('day/a.parley.jsonl'), update: 1 });
});

test('refuses a gzip file that decompresses to over 512 MB', async () => {
  const { path } = await writeHar('');
  const megabyte = gzipSync(Buffer.alloc(2 ** 20, ' '));
  await writeFile(path('x.har.gz'), Buffer.concat(Array.from({ length: 513 }, () => megabyte)));
  await expect(readHar(path('x.har.gz'))).rejects.toThrow(
    'x.har.gz: is larger than 512 MB when it is decompressed',
  );
});
