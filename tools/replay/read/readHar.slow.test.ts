import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readHar } from './readHar.ts';
import { writeHar } from './testing/har.ts';

test('refuses a gzip file that decompresses to over 512 MB', async () => {
  const { path } = await writeHar('');
  const megabyte = gzipSync(Buffer.alloc(2 ** 20, ' '));
  await writeFile(path('x.har.gz'), Buffer.concat(Array.from({ length: 513 }, () => megabyte)));
  await expect(readHar(path('x.har.gz'))).rejects.toThrow(
    'x.har.gz: is larger than 512 MB when it is decompressed',
  );
});
