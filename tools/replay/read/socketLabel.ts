import { basename } from 'node:path';
import { pluralize } from '#shared/pluralize.ts';
import type { HarSocket } from './readHar.ts';

const SHOWN = 3;

/**
 * Describes a socket: its address and its number of messages. The path's last segment is the account identifier
 * (spec §4.2), a credential, so only its beginning is shown.
 */
export const socketLabel = ({ url, messages, file }: HarSocket): string =>
  `${shortAddress(url)}, ${pluralize(messages.length, 'message')}${file === undefined ? '' : `, in ${basename(file)}`}`;

/** Returns the address of a socket without its query, which may differ for each connection. It contains the account: only compare it. */
export const addressOf = (url: string): string =>
  URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : url;

function shortAddress(url: string): string {
  if (!URL.canParse(url)) return 'an invalid address';
  const { host, pathname } = new URL(url);
  const cut = pathname.lastIndexOf('/') + 1;
  const account = pathname.slice(cut);
  const shown = account.length > SHOWN * 2 ? account.slice(0, SHOWN) : '';
  return `${host}${pathname.slice(0, cut)}${account === '' ? '' : `${shown}…`}`;
}
