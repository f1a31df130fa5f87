import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Access } from './access.ts';
import { type After, afterUnref } from './guard.ts';

/** How long the page exists: enough for a browser to start. */
const LIFETIME_MS = 60_000;

const NAME = /^open-[\w-]{22}\.html$/;

/**
 * Writes a page that redirects a browser to an address with a token; returns the page's own address. The page is removed when
 * the token was used, or after a minute. Every user of the machine can read the arguments of a program, so the browser is
 * opened with the address of this file instead: it has mode 0600 and a random name, and never follows an existing link.
 * @throws {NodeJS.ErrnoException} when it cannot be written.
 */
export function writeRedirectPage(folder: string, access: Access, after: After = afterUnref): string {
  const path = join(folder, `open-${randomBytes(16).toString('base64url')}.html`);
  const remove = () => void isRemoved(path);
  const cancel = after(LIFETIME_MS, remove);
  const address = access.invitation(() => {
    cancel();
    remove();
  });
  writeFileSync(path, html(address), { flag: 'wx', mode: 0o600 });
  return pathToFileURL(path).href;
}

/** Removes the redirect pages in the folder, also those of a killed program. Ignores a folder that cannot be read. */
export function removeRedirectPages(folder: string): void {
  for (const name of namesIn(folder)) if (NAME.test(name)) isRemoved(join(folder, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes a page; returns whether it was removed. A page on a read-only disk stays; its token ends with this process. */
function isRemoved(path: string): boolean {
  try {
    rmSync(path, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** The address needs no escaping: it is a loopback address with a base64url token. */
const html = (address: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="referrer" content="no-referrer" />
    <meta http-equiv="refresh" content="0; url=${address}" />
    <title>Parley</title>
  </head>
  <body><a href="${address}">Open Parley</a></body>
</html>
`;
