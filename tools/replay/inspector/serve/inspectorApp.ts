import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Access } from '#loopback/access.ts';
import { PRIVATE_HEADERS, admit } from '#loopback/guard.ts';
import { pageEnd, pageStart } from '#shared/inspector/inspectorPage.ts';
import { makeTest, makeTestSchema } from './makeTest.ts';
import type { ServedCapture } from './openCapture.ts';
import type { PageFiles } from './pageFiles.ts';

/** What the server gives. */
export interface InspectorContent {
  readonly files: PageFiles;
  /** Without one the page is a place to drop a capture. */
  readonly capture?: ServedCapture | undefined;
  /** Where the page opens; before the first step unless said. */
  readonly step?: number | undefined;
  /** Folders that the page names are relative to this one. */
  readonly cwd: string;
}

/** The rules of access, once there is a port: no request comes in before. */
export interface Doors {
  access: Access | undefined;
}

/** Nothing but what is served here, and pictures and sounds that came as data. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  'img-src data: blob:',
  'media-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'trusted-types dompurify inspector',
  "require-trusted-types-for 'script'",
].join('; ');

const HEADERS = { ...PRIVATE_HEADERS, 'content-security-policy': CONTENT_SECURITY_POLICY };

/** The token is spent; it has no business in the address, the history or a shared link. */
const FORGET_TOKEN = "history.replaceState(null, '', location.pathname + location.hash);\n";

/** A capture as the page sends it to be made a test: the longest string that there is. */
const LONGEST_BODY = 512 * 1024 * 1024;

const html = 'text/html; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';

/** The page, its worker and the capture, for a browser that the doors let in. */
export async function inspectorApp(content: InspectorContent, doors: Doors): Promise<FastifyInstance> {
  const app = Fastify({ logger: false, forceCloseConnections: true, bodyLimit: LONGEST_BODY });
  await app.register(cookie);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    if (doors.access === undefined) return reply.code(503).send('The inspector is starting.\n');
    return admit(doors.access, request, reply);
  });
  addFiles(app, content);
  addCapture(app, content.capture);
  app.post('/make-test', async (request, reply) => {
    const wanted = makeTestSchema.safeParse(request.body);
    const made = wanted.success
      ? await makeTest(wanted.data, content.cwd)
      : { error: wanted.error.issues[0]?.message ?? 'cannot be made a test' };
    return reply.code('error' in made ? 400 : 200).send(made);
  });
  return app;
}

function addFiles(app: FastifyInstance, content: InspectorContent): void {
  const { files } = content;
  const page = pageOf(content);
  const served: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': [html, page],
    '/inspector.js': [javascript, files.script],
    '/worker.js': [javascript, files.worker],
    '/style.css': ['text/css; charset=utf-8', files.style],
    '/forget-token.js': [javascript, FORGET_TOKEN],
  };
  for (const [path, [type, text]] of Object.entries(served))
    app.get(path, (_request, reply) => reply.type(type).send(text));
}

function pageOf({ capture, step }: InspectorContent): string {
  const config = {
    worker: { url: 'worker.js' },
    source: capture === undefined ? null : { url: 'capture', name: capture.name },
    makeTest: true,
    ...(step !== undefined && { step }),
  };
  const title = capture === undefined ? 'Inspector' : `${capture.name} – Inspector`;
  const head = '<script src="forget-token.js"></script><link rel="stylesheet" href="style.css" />';
  return pageStart({ title, head, config }) + pageEnd('<script src="inspector.js"></script>');
}

function addCapture(app: FastifyInstance, capture: ServedCapture | undefined): void {
  if (capture === undefined) return;
  app.get('/capture', async (_request, reply) => {
    const { stream, size } = await capture.read();
    // The page shows how much of it has come.
    if (size !== undefined) reply.header('content-length', size);
    return reply.type(capture.type).send(stream);
  });
}
