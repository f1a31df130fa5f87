import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type * as Client from '@aws-sdk/client-s3';
import { errorCode } from '#shared/formatText.ts';
import { UsageError } from '../base/errors.ts';

/** Some keys of a bucket, in the order of their bytes. */
export interface S3Page {
  readonly keys: readonly string[];
  /** Continues the list; `undefined` after the last page. */
  readonly next: string | undefined;
}

/** The content of an object, or of its end. */
export interface S3Body {
  readonly stream: Readable;
  /** The number of bytes in the stream. */
  readonly length: number;
  /** Identifies this version of the object. */
  readonly etag: string | undefined;
}

/** Where reading continues. */
interface S3Range {
  /** The first byte. */
  readonly from: number;
  readonly etag: string | undefined;
}

/** The requests to an S3-compatible store. Each rejects with an {@link S3Error}. */
interface S3Requests {
  /** Lists up to 1,000 keys that begin with a place's key. */
  list(place: S3Place, next?: string): Promise<S3Page>;
  open(place: S3Place, range?: S3Range): Promise<S3Body>;
  /** Writes an object, completely or not at all. */
  write(place: S3Place, text: string): Promise<void>;
}

let requests: S3Requests | undefined;

/**
 * Returns the requests of this process. The client is loaded with the first one: it is large and rarely needed.
 * @throws {S3Error} when the client is not installed.
 */
export const s3 = async (): Promise<S3Requests> => (requests ??= createS3Requests());

/** After this time without an answer, a request fails, milliseconds. The client repeats it. */
const ANSWER_MS = 20_000;

/**
 * Creates the requests. Region, endpoint, credentials and retries have the usual sources of AWS's clients: the environment, the profile, the
 * role of a pod or a machine.
 */
export function createS3Requests(
  env: NodeJS.ProcessEnv = process.env,
  answerMs: number = ANSWER_MS,
): S3Requests {
  const requestHandler = {
    connectionTimeout: answerMs,
    requestTimeout: answerMs,
    throwOnRequestTimeout: true,
  };
  const { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } = loadClient();
  const client = new S3Client({ ...configOf(env), requestHandler });
  return {
    list: ({ bucket, key }, next) =>
      withReason(async () => {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: key, ContinuationToken: next }),
        );
        const keys = (page.Contents ?? []).flatMap(({ Key }) => Key ?? []);
        return { keys, next: page.IsTruncated ? page.NextContinuationToken : undefined };
      }),
    open: ({ bucket, key }, range) =>
      withReason(async () => {
        const part = range && { Range: `bytes=${range.from}-`, IfMatch: range.etag };
        const found = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...part }));
        if (!(found.Body instanceof Readable)) throw new TypeError('the object has no body');
        return { stream: found.Body, length: found.ContentLength ?? Infinity, etag: found.ETag };
      }),
    write: ({ bucket, key }, text) =>
      withReason(async () => {
        await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: text }));
      }),
  };
}

const PACKAGE = '@aws-sdk/client-s3';

/**
 * Loads the client, which the tool does not bring: from the packages around the tool, where those of a project and global ones are, or from
 * those of the working folder.
 * @throws {S3Error} when it is not installed.
 */
function loadClient(): typeof Client {
  for (const from of [import.meta.filename, join(process.cwd(), 'package.json')]) {
    const require = createRequire(from);
    try {
      require.resolve(PACKAGE);
    } catch {
      continue;
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return require(PACKAGE) as typeof Client;
  }
  throw new S3Error(
    `needs the package ${PACKAGE}, which is not installed; run \`npm install ${PACKAGE}@3\` in this folder`,
    false,
  );
}

function configOf(env: NodeJS.ProcessEnv): Client.S3ClientConfig {
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  const region =
    env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? (endpoint === undefined ? undefined : 'us-east-1');
  // The installed version runs on Node 20; its warning about later versions is not for users.
  env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  return {
    ...(region !== undefined && { region }),
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // Other stores do not know AWS's checksums, and each costs time.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}

async function withReason<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    throw s3Error(error);
  }
}

/** A request that an S3-compatible store refused, or that did not reach it. `message` is the reason, without credentials. */
export class S3Error extends Error {
  override readonly name = 'S3Error';

  constructor(
    reason: string,
    /** Whether the object does not exist. */
    readonly isMissing: boolean,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

const CREDENTIALS =
  'the credentials are not accepted; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN';
const REGION = 'the bucket is in another region; set AWS_REGION to it';

/** By the name of the client's error, which is the code of the store. */
const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  NoSuchKey: 'there is no such object',
  NotFound: 'there is no such object',
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
export function s3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  const name = error instanceof Error ? error.name : '';
  const isMissing = name === 'NoSuchKey' || name === 'NotFound';
  return new S3Error(reasonOf(error, name), isMissing, { cause: error });
}

function reasonOf(error: unknown, name: string): string {
  const known = REASONS[name];
  if (known !== undefined) return known;
  const code = errorCode(error) ?? name;
  if (UNREACHABLE.test(code))
    return `the store does not answer (${code}); check AWS_ENDPOINT_URL and the network`;
  if (Object(error).message === 'Region is missing') return 'the region is missing; set AWS_REGION';
  const status = statusOf(error);
  return status === undefined ? `the client reports ${name}` : `the store reports ${name} (status ${status})`;
}

function statusOf(error: unknown): number | undefined {
  const status: unknown = Object(Object(error).$metadata).httpStatusCode;
  return typeof status === 'number' ? status : undefined;
}

/** An object of a bucket, or the beginning of the keys of several. */
interface S3Place {
  readonly bucket: string;
  /** As the store has it, without escapes. */
  readonly key: string;
}

/** Returns whether a path names objects in an S3-compatible store: `s3://bucket/key`. */
export const isS3Url = (path: string): boolean => path.startsWith('s3://');

/**
 * Parses `s3://bucket/key`; the key may be empty.
 * @throws {UsageError} when the bucket is missing.
 */
export function parseS3Url(url: string): S3Place {
  const [, bucket, key = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/s.exec(url) ?? [];
  if (bucket === undefined) throw new UsageError(`${url}: name a bucket, such as s3://bucket/folder`);
  return { bucket, key };
}
