import { UsageError } from '../base/errors.ts';
import { type S3Page, s3 } from './s3.ts';
import { S3Error } from './s3Error.ts';
import { parseS3Url } from './s3Url.ts';

/** An object that was found. */
interface FoundObject {
  readonly url: string;
  /** Its path inside the folder. */
  readonly name: string;
}

/**
 * Lists the objects inside a folder, `s3://bucket/folder`, page by page; the next page is requested while one is used.
 * @throws {UsageError} when the store refuses the request or does not answer.
 */
export async function* listObjects(folder: string): AsyncGenerator<FoundObject, void> {
  const { bucket, key } = parseS3Url(folder);
  const prefix = key === '' || key.endsWith('/') ? key : `${key}/`;
  try {
    const { list } = await s3();
    const request = (continuation?: string): Promise<S3Page> => {
      const page = list({ bucket, key: prefix }, continuation);
      page.catch(() => undefined);
      return page;
    };
    let page: Promise<S3Page> | undefined = request();
    while (page !== undefined) {
      const { keys, next }: S3Page = await page;
      page = next === undefined ? undefined : request(next);
      for (const one of keys) yield { url: `s3://${bucket}/${one}`, name: one.slice(prefix.length) };
    }
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    throw new UsageError(`${folder}: ${error.message}`, { cause: error });
  }
}
