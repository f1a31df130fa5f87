import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';

/**
 * The header fields that protect, as helmet sets them. They are the same for every answer, so it is asked once: for each
 * request anew it would cost more than all else that an answer takes.
 * @param tls whether browsers are told to come by TLS only.
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
