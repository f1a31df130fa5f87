import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * Returns the security header fields of helmet. They are the same for every answer, so helmet runs once: for each request
 * it would take longer than the rest of the answer.
 * @param tls whether browsers must use TLS only.
 */
export function securityFields(tls: boolean): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"] } },
    strictTransportSecurity: tls,
  })(request, response, (error) => {
    if (error !== undefined) throw new Error('helmet has no header fields', { cause: error });
  });
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}
