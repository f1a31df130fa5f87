import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { vi } from 'vitest';

const BUCKET = 'sessions';
const SECRET = 'secret-of-reader';

interface Answer {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A faulty answer: an error's code, or a connection that ends after some bytes of the body. */
type Fault = { readonly status: number; readonly code: string } | { readonly endsAfter: number };

/** Creates what a test reads and changes: the content of the bucket, the requests so far and the faults of the next answers. */
const createState = () => ({
  objects: new Map<string, Buffer>(),
  requests: [] as string[],
  faults: [] as Fault[],
  /** The number of keys in one page of a list. */
  pageSize: 1000,
  /** The access key that is accepted. */
  accessKey: 'reader',
});

/** Starts a server with the part of S3's interface that the tool uses, on loopback, and sets the client's environment for it. */
export async function startS3Server() {
  const state = createState();
  const server = createServer((request, response) => {
    const url = new URL(`http://localhost${request.url}`);
    state.requests.push(`${request.method} ${decodeURIComponent(url.pathname)}`);
    void answer(request, { url, state }).then((one) => send(response, one, state.faults.shift()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port }: { port: number } = Object(server.address());
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'reader');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', SECRET);
  const stop = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { state, url: (key: string) => `s3://${BUCKET}/${key}`, stop };
}

type Asked = { readonly url: URL; readonly state: ReturnType<typeof createState> };

const refusal = (status: number, code: string): Answer => ({
  status,
  body: `<Error><Code>${code}</Code><Message>for ${SECRET}</Message></Error>`,
});

async function answer(request: IncomingMessage, asked: Asked): Promise<Answer> {
  const [, bucket, ...parts] = decodeURIComponent(asked.url.pathname).split('/');
  const key = parts.join('/');
  const { objects, accessKey } = asked.state;
  if (!request.headers.authorization?.includes(`Credential=${accessKey}/`))
    return refusal(403, 'InvalidAccessKeyId');
  if (bucket !== BUCKET) return refusal(404, 'NoSuchBucket');
  if (request.method === 'PUT') {
    objects.set(key, await buffer(request));
    return { status: 200, body: '' };
  }
  return key === '' ? listing(asked) : content(objects.get(key), request.headers.range);
}

function listing({ url: { searchParams: given }, state: { objects, pageSize } }: Asked): Answer {
  const after = given.get('continuation-token') ?? '';
  const prefix = given.get('prefix') ?? '';
  const found = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = found.slice(0, pageSize);
  const keys = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  const isCut = found.length > pageSize;
  const token = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const end = `<IsTruncated>${isCut}</IsTruncated>${token}`;
  return { status: 200, body: `<ListBucketResult>${keys}${end}</ListBucketResult>` };
}

function content(object: Buffer | undefined, range: string | undefined): Answer {
  if (object === undefined) return refusal(404, 'NoSuchKey');
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  return { status: range === undefined ? 200 : 206, body: object.subarray(from), headers: { etag: '"1"' } };
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer, fault?: Fault): void {
  if (fault !== undefined && 'code' in fault)
    return void response.writeHead(fault.status).end(refusal(fault.status, fault.code).body);
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  if (fault === undefined) response.end(body);
  else response.write(body.slice(0, fault.endsAfter), () => response.destroy());
}
