import { errorCode } from '#shared/errorCode.ts';

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
