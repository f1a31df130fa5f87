import type { S3Requests } from './s3Client.ts';

let requests: Promise<S3Requests> | undefined;

/** Returns the requests of this process. The client is loaded with the first one: it is large and rarely needed. */
export function s3(): Promise<S3Requests> {
  requests ??= import('./s3Client.ts').then(({ createS3Requests }) => createS3Requests());
  return requests;
}
