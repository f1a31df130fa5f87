import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** A certificate for `hostauth.test`, `*.wild.test` and 127.0.0.1, which is self-signed, for tests only. */
export const CERTIFICATE = read('certificate.pem');
/** The key of the certificate. */
export const KEY = read('key.pem');
