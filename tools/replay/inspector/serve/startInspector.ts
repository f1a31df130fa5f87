import { randomBytes } from 'node:crypto';
import { text as textOf } from 'node:stream/consumers';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import { Access } from '#loopback/access.ts';
import {
  PRIVATE_HEADERS,
  admit,
  pageSecretFor,
  requestPath,
  requirePageSecret,
  HTTP_TIMES,
  limitUnauthenticatedConnections,
} from '#loopback/guard.ts';
import { pageSecretTag } from '#loopback/pageSecret.ts';
import { writeRedirectPage } from '#loopback/redirectPage.ts';
import { type SourceLinesResult, stepPairSchema } from '#shared/ipc/sourceLines.ts';
import { pageEnd, pageStart } from '#shared/ipc/inspectorPage.ts';
import type { Replayed } from '../../engine/sessionAdapter.ts';
import { listenOnLoopback } from '../../net/sockets.ts';
import type { AlignBy, Start } from '../protocol/protocol.ts';
import { makeTest, makeTestSchema } from './makeTest.ts';
import { sourceLines } from '../../why/sourceLines.ts';
import { UsageError } from '../../base/errors.ts';
import { z } from 'zod';
import type { ServedCapture } from './openCapture.ts';
import { type AppPage, pagePolicy, type readPairFiles } from './appPage.ts';

/** The content that the server serves. */
export interface InspectorContent extends Pick<AppPage, 'files'> {
  /** The app of the captures. */
  readonly app: Replayed;
  /** The path of the adapter of another app. */
  readonly adapter?: string | undefined;
  /** When omitted, the person drops a capture on the page. */
  readonly capture?: ServedCapture | undefined;
  /** Where the page opens; before the first step when omitted. */
  readonly start?: Start | undefined;
  /** A session beside that of `capture`. */
  readonly other?: OtherSession | undefined;
  /** The base of the folders that the page names. */
  readonly cwd: string;
}

/** Another session beside the first one. */
export interface OtherSession {
  readonly files: Awaited<ReturnType<typeof readPairFiles>>;
  readonly capture: ServedCapture;
  /** What the page calls the first session and the other one. */
  readonly labels: readonly [first: string, other: string];
  readonly by: AlignBy;
  /** The worker of the first session, when it is not that of the other one. */
  readonly firstWorker?: string | undefined;
}

const HEADERS = {
  ...PRIVATE_HEADERS,
  /** Allows only files of this server, and images and sounds as data. */
  'content-security-policy': pagePolicy({
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'frame-ancestors': "'none'",
  }),
};

/** The maximum size of a capture that the page sends for a test, in bytes: the maximum length of a string. */
const LONGEST_BODY = 512 * 1024 * 1024;

/** A running inspector server. */
export type RunningInspector = Awaited<ReturnType<typeof startInspector>>;

const PROGRAM = { name: 'The inspector', command: 'parley-replay open' };

/**
 * Serves the page, its worker and the capture to this machine only, with the access rules of the web host (contract §2, §7).
 * @param port 0 selects any free port.
 * @throws {UsageError} when the port is not available.
 */
export async function startInspector({ port, ...content }: InspectorContent & { readonly port: number }) {
  const app = Fastify({ ...HTTP_TIMES, logger: false, forceCloseConnections: true, bodyLimit: LONGEST_BODY });
  const letIn = limitUnauthenticatedConnections(app.server);
  const files = pageFiles(content);
  /** The access rules, which exist once the port is known; no request arrives before. */
  let access: Access | undefined;
  await app.register(cookie);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    if (access === undefined) return reply.code(503).send('The inspector is starting.\n');
    const refused = admit(access, request, reply);
    if (refused !== undefined) return refused;
    letIn(request.socket);
    if (Object.hasOwn(files, requestPath(request))) return undefined;
    // Everything else returns personal data or writes files.
    return requirePageSecret(access, [request.headers.authorization?.replace(/^Bearer /, '') ?? ''], reply);
  });
  for (const [path, [type, text]] of Object.entries(files)) {
    app.get(path, (_request, reply) => {
      const secret = access && pageSecretFor(access, reply);
      const given = secret === undefined ? text : text.replace('<head>', `<head>${pageSecretTag(secret)}`);
      return reply.type(type).send(given);
    });
  }
  addCaptures(app, content);
  const address = await listenOnLoopback(app, port);
  const rules = new Access({ port: Number(new URL(address).port), random: randomBytes, program: PROGRAM });
  access = rules;
  return {
    /** Returns an address that admits one browser, once. */
    invitation: () => rules.invitation(),
    /** Returns the address of a page in this folder that admits one browser, once (see `writeRedirectPage`). */
    redirectPage: (folder: string) => writeRedirectPage(folder, rules),
    /** Closes all connections and frees the port. */
    stop: () => app.close(),
  };
}

/** Serves the captures, and writes tests. */
function addCaptures(app: FastifyInstance, content: InspectorContent): void {
  const captures = { '/capture': content.capture, '/other-capture': content.other?.capture };
  for (const [path, capture] of Object.entries(captures)) {
    if (capture === undefined) continue;
    app.get(path, async (_request, reply) => {
      const { stream, size } = await capture.read();
      // The page shows the progress.
      if (size !== undefined) reply.header('content-length', size);
      return reply.type(capture.type).send(stream);
    });
  }
  app.post('/make-test', async (request, reply) => {
    const wanted = makeTestSchema.safeParse(request.body);
    const made = wanted.success
      ? await makeTest(wanted.data, content)
      : { error: wanted.error.issues[0]?.message ?? 'cannot be made a test' };
    return reply.code('error' in made ? 400 : 200).send(made);
  });
  app.post('/source-lines', async (request, reply) => {
    const wanted = sourceRequestSchema.safeParse(request.body);
    if (!wanted.success) return reply.code(400).send({ problem: 'the request is not one for a step' });
    return linesOf(wanted.data, content);
  });
}

/** The request for the lines of source that ran in a step of a capture. */
const sourceRequestSchema = z.strictObject({
  ...stepPairSchema.shape,
  name: z.string(),
  /** NDJSON; by default the capture of the server. */
  capture: z.string().optional(),
});

async function linesOf(
  { name, capture: given, ...pair }: z.infer<typeof sourceRequestSchema>,
  { adapter, capture: served }: Pick<InspectorContent, 'adapter' | 'capture'>,
): Promise<SourceLinesResult> {
  const path = given === undefined ? served?.path : undefined;
  const ownText = async () => (served === undefined ? '' : textOf((await served.read()).stream));
  const capture = path === undefined ? { name, text: given ?? (await ownText()) } : { path };
  try {
    return { steps: await sourceLines({ app: adapter, capture, pairs: [pair] }) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { problem: error.message };
  }
}

const css = 'text/css; charset=utf-8';
const html = 'text/html; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';

/** Returns the page and its files, each with its content type; they contain the name of the capture and no other data of it. */
const pageFiles = ({ files, other, ...content }: InspectorContent): Record<string, [string, string]> => ({
  '/inspector.js': [javascript, files.script],
  '/worker.js': [javascript, files.worker],
  '/style.css': [css, files.style],
  ...(files.pane !== undefined && { '/pane.js': [javascript, files.pane] }),
  ...(other === undefined
    ? { '/': [html, pageOf({ files, ...content })] }
    : {
        '/': [html, pairPageOf(content, other)],
        '/sideBySide.js': [javascript, other.files.script],
        '/sideBySide.css': [css, other.files.style],
        '/first-worker.js': [javascript, other.firstWorker ?? files.worker],
      }),
});

const STYLE = '<link rel="stylesheet" href="style.css" />';

function pageOf({ capture, start, files }: InspectorContent): string {
  const config = {
    worker: { url: 'worker.js' },
    source: capture === undefined ? null : { url: 'capture', name: capture.name },
    makeTest: true,
    ...start,
  };
  const title = capture === undefined ? 'Inspector' : `${capture.name} – Inspector`;
  const pane = files.pane === undefined ? '' : '<script src="pane.js"></script>';
  return pageStart({ title, head: STYLE, config }) + pageEnd(`${pane}<script src="inspector.js"></script>`);
}

function pairPageOf(
  { capture, start }: Pick<InspectorContent, 'capture' | 'start'>,
  { labels: [first, other], by }: OtherSession,
): string {
  const title = by === 'record' ? `${capture?.name}: ${first} and ${other}` : `${first} and ${other}`;
  const config = {
    title,
    a: { label: first, worker: 'first-worker.js', capture: 'capture' },
    b: { label: other, worker: 'worker.js', capture: 'other-capture' },
    by,
    ...(start && { start }),
  };
  const head = `${STYLE}\n    <link rel="stylesheet" href="sideBySide.css" />`;
  const page = pageStart({ title: `${title} – Inspector`, head, config });
  return page + pageEnd('<script src="sideBySide.js"></script>');
}
