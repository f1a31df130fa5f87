import { UsageError } from '../base/errors.ts';

/** An object of a bucket, or the beginning of the keys of several. */
export interface S3Place {
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
