import { INSPECTOR_PATH, MESSENGER_PATH } from '#shared/ipc/channels.ts';
import { pageEnd, pageStart } from '#shared/ipc/inspectorPage.ts';
import { pictureType } from '#shared/image/imageSize.ts';
import { protocol } from 'electron';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { type BlobPlace, parseBlobPath } from '#shared/conversation/blobReference.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { audioType, imageType } from '#shared/image/mediaType.ts';
import type { Preferences } from '#shared/ipc/preferencesSchema.ts';
import { decodeBlob, itemBlobReference, blobReference } from '../store/actionForWindows.ts';

const SCHEME = 'parley';
/** The origin of our pages. They have a scheme of their own, because a `file:` page may read other files. */
export const APP_ORIGIN = `${SCHEME}://app`;
/** The page of a messenger window. */
export const APP_PAGE = APP_ORIGIN + MESSENGER_PATH;
const INSPECTOR_FOLDER = '/inspector/';
/** The page of the inspector's window. */
export const INSPECTOR_PAGE = APP_ORIGIN + INSPECTOR_PATH;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.map': 'application/json',
};

/**
 * Returns a policy that allows only our own files, and pictures and sounds as data. Only the named trusted types may turn
 * text into markup or code.
 */
const contentSecurityPolicy = (trusted: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    `trusted-types ${trusted}`,
    "require-trusted-types-for 'script'",
  ].join('; ');

/** Both pages contain the sanitizer of messages (`sanitizeHtml`). */
const APP_POLICY = contentSecurityPolicy('dompurify');
/** The inspector also starts a worker. */
const INSPECTOR_POLICY = contentSecurityPolicy('dompurify inspector');

/** Registers our scheme with an origin, as secure. Call it before `app` is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** The folders of the pages' files. */
interface Folders {
  readonly renderer: string;
  readonly inspector: string;
}

/** The parts of main that pages show. */
interface Shown {
  /** Returns the response to the path of a blob. */
  readonly blob: (path: string) => Response | undefined;
  /** Returns the theme of the preferences. */
  readonly theme: () => Preferences['theme'];
}

/** Serves the files of our pages and the blobs that windows have by reference, and nothing else. */
export function servePages(folders: Folders, { blob, theme }: Shown): void {
  protocol.handle(SCHEME, async (request) => {
    const { host, pathname } = new URL(request.url);
    const blobFound = host === 'app' ? blob(pathname) : undefined;
    if (blobFound !== undefined) return blobFound;
    const isInspector = pathname.startsWith(INSPECTOR_FOLDER);
    const folder = isInspector ? folders.inspector : folders.renderer;
    const inFolder = isInspector ? pathname.slice(INSPECTOR_FOLDER.length) : pathname;
    const path = normalize(join(folder, decodeURIComponent(inFolder)));
    const type = TYPES[extname(path)];
    if (host !== 'app' || type === undefined || !path.startsWith(folder + sep)) return notFound();
    const file = request.url === INSPECTOR_PAGE ? inspectorPage() : await tryReadFile(path);
    if (file === undefined) return notFound();
    const body = request.url === APP_PAGE ? withTheme(String(file), theme()) : file;
    return new Response(body, {
      headers: {
        'content-type': type,
        'content-security-policy': isInspector ? INSPECTOR_POLICY : APP_POLICY,
        'x-content-type-options': 'nosniff',
      },
    });
  });
}

/** Returns the messenger's page with a theme, which applies from the first paint: the script needs time to start. */
const withTheme = (page: string, theme: Preferences['theme']): string =>
  theme === 'system'
    ? page
    : page
        .replace('<html ', `<html data-theme="${theme}" `)
        .replace('content="light dark"', `content="${theme}"`);

/** Returns the inspector's page: its script and styles are files beside it; it follows the current session. */
function inspectorPage(): string {
  const config = { worker: { url: 'worker.js' }, source: { live: true }, makeTest: false };
  const head = '<link rel="stylesheet" href="style.css" />';
  return pageStart({ title: 'Inspector', head, config }) + pageEnd('<script src="inspector.js"></script>');
}

const notFound = () => new Response('Not found', { status: 404 });

async function tryReadFile(path: string): Promise<Buffer<ArrayBuffer> | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns the response to a request for a blob that a window has by reference (docs/adr/0012): its bytes, with a media type
 * only for a picture or sound that Parley shows. Its policy runs no script of an SVG that is opened as a document. Returns `undefined` when the path does not name a blob, or the blob is no
 * longer at that place in the conversation.
 */
export function blobResponse(conversation: Conversation, path: string): Response | undefined {
  const requested = parseBlobPath(path);
  const found = requested && blobAt(conversation, requested);
  if (found === undefined || found.hash !== requested?.hash) return undefined;
  const bytes = decodeBlob(found.blob);
  return new Response(bytes && new Uint8Array(bytes), {
    headers: {
      'content-type': typeOf(found),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  });
}

interface FoundBlob {
  /** Base64. */
  readonly blob: string;
  readonly hash: string | null;
  /** Whether it is a content item of the category `image`, which the window shows as an `img`. */
  readonly isImage: boolean;
}

const typeOf = ({ blob, isImage }: FoundBlob): string =>
  (isImage ? imageType(blob) : (pictureType(blob) ?? audioType(blob))) ?? 'application/octet-stream';

function blobAt({ messages }: Conversation, { message: index, item: at }: BlobPlace): FoundBlob | undefined {
  const message = itemAt(messages, index);
  if (at === 'avatar')
    return message?.avatar
      ? { blob: message.avatar, hash: blobReference(message.avatar).hash, isImage: false }
      : undefined;
  const item = message?.content && itemAt(message.content, at);
  if (!item?.blob) return undefined;
  return { blob: item.blob, hash: itemBlobReference(item).hash, isImage: item.category === 'image' };
}
