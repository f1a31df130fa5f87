import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

const sourceMap = z.object({ sources: z.array(z.string()) });
const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** Matches the folder of a source file's package. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(licen[sc]e|copying|notice)(\.(md|txt))?$/i;

/**
 * Collects the licenses of the packages in the source maps of the built programs, and of those in `others`: name, version,
 * license and license file of each.
 */
export async function thirdPartyLicenses(bundles: string, others: readonly string[]): Promise<string> {
  const folders = new Set(others);
  for (const name of await readdir(bundles)) {
    if (!name.endsWith('.js.map')) continue;
    const { sources } = sourceMap.parse(JSON.parse(await readFile(join(bundles, name), 'utf8')));
    for (const source of sources) {
      const [folder] = PACKAGE.exec(resolve(bundles, source)) ?? [];
      if (folder !== undefined) folders.add(folder);
    }
  }
  const entries = await Promise.all(Array.from(folders, entryOf));
  return [...new Set(entries)].sort().join(`\n${'-'.repeat(78)}\n\n`);
}

async function entryOf(folder: string): Promise<string> {
  const { name, version, license, author } = manifest.parse(
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
  );
  const texts = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const bodies = await Promise.all(texts.map((file) => readFile(join(folder, file), 'utf8')));
  const heading = `${name} ${version}${license === undefined ? '' : ` (${license})`}\n\n`;
  if (bodies.length > 0) return heading + bodies.map((body) => `${body.trim()}\n`).join('\n');
  return heading + (await sourceNotice(folder)) + (author === undefined ? '' : `Author: ${author}\n`);
}

/** Returns the first comment of the C++ sources of a package: some packages have their license only there. */
async function sourceNotice(folder: string): Promise<string> {
  const source = (await readdir(folder)).find((file) => file.endsWith('.cc'));
  if (source === undefined) return '';
  const [, notice = ''] = /^\/\*\n([^]*?)\*\//.exec(await readFile(join(folder, source), 'utf8')) ?? [];
  return notice;
}

/** Reads the license of a Node installation, in its prefix or in the folder of Debian's packages. */
export async function nodeLicense(node: string): Promise<string | undefined> {
  const prefix = dirname(dirname(node));
  for (const path of [join(prefix, 'LICENSE'), join(prefix, 'share/doc/nodejs/LICENSE')]) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}
