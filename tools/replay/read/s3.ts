import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type * as Client from '@aws-sdk/client-s3';
import { errorCode } from '#shared/formatText.ts';
import { UsageError } from '../base/errors.ts';

/** Returns whether a path names objects in an S3-compatible store: `s3://bucket/key`. */
export const isS3Url = (path: string): boolean => path.startsWith('s3://');

/** An object of a bucket, or the beginning of the keys of several; the key is without escapes. */
interface S3Place {
  readonly bucket: string;
  readonly key: string;
}

/** @throws {UsageError} when the bucket is missing; the key may be empty. */
function parseS3Url(url: string): S3Place {
  const [, bucket, key = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(url) ?? [];
  if (bucket === undefined) throw new UsageError(`${url}: name a bucket, such as s3://bucket/folder`);
  return { bucket, key };
}

/** A connection may break this number of times while an object is read. */
const BREAKS = 3;

/**
 * Reads an object in pieces. When the connection breaks, reading continues where it broke.
 * @throws {S3Error}
 */
export async function* readObject(url: string): AsyncGenerator<Buffer, void> {
  const place = parseS3Url(url);
  let from = 0;
  try {
    let body = await (takeOpened(url) ?? s3().open(place));
    const { length, etag } = body;
    for (let breaks = 0; ; breaks++) {
      try {
        for await (const chunk of body.stream) {
          if (!Buffer.isBuffer(chunk)) continue;
          from += chunk.length;
          yield chunk;
        }
        return;
      } catch (error) {
        if (breaks === BREAKS || from >= length) throw error;
      }
      body = await s3().open(place, { from, etag });
    }
  } catch (error) {
    throw s3Error(error);
  }
}

/** @throws {S3Error} */
export const readObjectText = async (url: string): Promise<string> =>
  (await buffer(readObject(url))).toString('utf8');

/**
 * Writes an object, completely or not at all.
 * @throws {S3Error}
 */
export async function writeObject(url: string, text: string): Promise<void> {
  try {
    await s3().write(parseS3Url(url), text);
  } catch (error) {
    throw s3Error(error);
  }
}

type Opened = ReturnType<ReturnType<typeof createS3Requests>['open']>;

/** The objects that are opened and not yet read. The store sends no more of each than fits into the buffers of its connection. */
const opened = new Map<string, Opened>();

/** Opens those of the paths that are objects of a store, so that the network's delay is over when they are read. Errors reach the reader. */
export function openAhead(paths: readonly string[]): void {
  for (const path of paths) {
    if (!isS3Url(path) || opened.has(path)) continue;
    const body = (async () => s3().open(parseS3Url(path)))();
    body.catch(() => undefined);
    opened.set(path, body);
  }
}

/** Returns an opened object; its reader must read it. */
function takeOpened(path: string): Opened | undefined {
  const body = opened.get(path);
  opened.delete(path);
  return body;
}

/** Closes those of the paths that were opened and not read. */
export function closeUnread(paths: readonly string[]): void {
  for (const path of paths)
    takeOpened(path)
      ?.then(({ stream }) => stream.destroy())
      .catch(() => undefined);
}

/**
 * Lists the objects inside a folder, `s3://bucket/folder`. `name` is the path inside the folder.
 * @throws {UsageError} when the store refuses the request or does not answer.
 */
export async function* listObjects(folder: string, store = s3) {
  const { bucket, key } = parseS3Url(folder);
  const prefix = key === '' || key.endsWith('/') ? key : `${key}/`;
  try {
    for await (const { Contents = [] } of store().pages({ bucket, key: prefix }))
      for (const { Key: one = '' } of Contents)
        yield { path: `s3://${bucket}/${one}`, name: one.slice(prefix.length) };
  } catch (error) {
    const failed = s3Error(error);
    throw new UsageError(`${folder}: ${failed.message}`, { cause: failed });
  }
}

let requests: ReturnType<typeof createS3Requests> | undefined;

/**
 * Returns the requests of this process. The client is loaded with the first one: it is large and rarely needed.
 * @throws {S3Error} when the client is not installed.
 */
const s3 = () => (requests ??= createS3Requests());

/** After this time without an answer, a request fails, milliseconds. The client repeats it. */
const ANSWER_MS = 20_000;

/**
 * Creates the requests; each fails with an error of the client. Region, endpoint, credentials and retries have the usual sources of AWS's
 * clients: the environment, the profile, the role of a pod or a machine.
 */
export function createS3Requests(env: NodeJS.ProcessEnv = process.env, answerMs = ANSWER_MS) {
  const { GetObjectCommand, PutObjectCommand, S3Client, paginateListObjectsV2 } = loadClient();
  // The installed version runs on Node 20; its warning about later versions is not for users.
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? (endpoint && 'us-east-1');
  const client = new S3Client({
    ...(region && { region }),
    ...(endpoint && { endpoint, forcePathStyle: true }),
    requestHandler: {
      connectionTimeout: answerMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
    },
    // Other stores do not know AWS's checksums, and each costs time.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    /** Lists the keys that begin with a place's key, in the order of their bytes. */
    pages: ({ bucket, key }: S3Place) => paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: key }),
    /** Opens an object, or the rest of it from a byte on; the etag identifies its version. `length` is that of the stream. */
    async open({ bucket, key }: S3Place, rest?: { from: number; etag: string | undefined }) {
      const part = rest && { Range: `bytes=${rest.from}-`, IfMatch: rest.etag };
      const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...part }));
      if (!(found.Body instanceof Readable)) throw new TypeError('the object has no body');
      return { stream: found.Body, length: found.ContentLength ?? Infinity, etag: found.ETag };
    },
    write: ({ bucket, key }: S3Place, text: string) =>
      client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: text })),
  };
}

const PACKAGE = '@aws-sdk/client-s3';

/**
 * Loads the client, which the tool does not bring: from the packages around the tool, where those of a project and global ones are, or from
 * those of the working folder.
 * @throws {S3Error} when it is not installed.
 */
function loadClient(): typeof Client {
  const require = createRequire(import.meta.filename);
  let path: string;
  try {
    path = require.resolve(PACKAGE, { paths: [import.meta.dirname, process.cwd()] });
  } catch (error) {
    throw new S3Error(
      `needs the package ${PACKAGE}, which is not installed; run \`npm install ${PACKAGE}@3\` in this folder`,
      { cause: error },
    );
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require(path) as typeof Client;
}

/** A request that an S3-compatible store refused, or that did not reach it. `message` is the reason, without credentials. */
export class S3Error extends Error {
  override readonly name = 'S3Error';

  /** Whether the object does not exist. */
  get isMissing(): boolean {
    return this.message === NO_OBJECT;
  }
}

const NO_OBJECT = 'there is no such object';
const CREDENTIALS =
  'the credentials are not accepted; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN';
const REGION = 'the bucket is in another region; set AWS_REGION to it';

/** By the name of the client's error, which is the code of the store. */
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  NoSuchKey: NO_OBJECT,
  NotFound: NO_OBJECT,
  AccessDenied: 'access is denied; check the rights of the credentials',
  InvalidAccessKeyId: CREDENTIALS,
  SignatureDoesNotMatch: CREDENTIALS,
  InvalidToken: CREDENTIALS,
  ExpiredToken: 'the credentials have expired; get new ones',
  RequestTimeTooSkewed: 'the clock of this machine differs from the store’s; set it',
  CredentialsProviderError:
    'there are no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
  PermanentRedirect: REGION,
  AuthorizationHeaderMalformed: REGION,
};

const UNREACHABLE = /^(?:E[A-Z_]+|TimeoutError)$/;

/**
 * Returns an error of the client as one that has its reason in words. The client's own messages are not used: they may contain what the
 * store sent.
 */
export const s3Error = (error: unknown): S3Error =>
  error instanceof S3Error ? error : new S3Error(reasonOf(error), { cause: error });

function reasonOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  const known = REASONS[name];
  if (known !== undefined) return known;
  const code = errorCode(error) ?? name;
  if (UNREACHABLE.test(code))
    return `the store does not answer (${code}); check AWS_ENDPOINT_URL and the network`;
  if (Object(error).message === 'Region is missing') return 'the region is missing; set AWS_REGION';
  const status: unknown = Object(Object(error).$metadata).httpStatusCode;
  return typeof status === 'number'
    ? `the store reports ${name} (status ${status})`
    : `the client reports ${name}`;
}
