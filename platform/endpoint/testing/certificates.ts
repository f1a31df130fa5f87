import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [certificate, key] = ['certificate', 'key'].map((name) =>
  readFileSync(join(import.meta.dirname, `${name}.pem`), 'utf8'),
);

/** A certificate for `hostauth.test`, `*.wild.test` and 127.0.0.1, which is self-signed, for tests only. */
export const CERTIFICATE = String(certificate);
/** The key of the certificate. */
export const KEY = String(key);
