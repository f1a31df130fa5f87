import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { clientAddress } from './guards/clientAddress.ts';

/**
 * Writes one line for each request when it is answered. The line has the route, not the requested path, which can contain
 * anything.
 */
export class RequestLog extends LogController {
  override incomingRequest(): void {
    // Only answers are logged.
  }

  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { method, log } = request;
    const address = clientAddress(request);
    const route = request.routeOptions.url ?? 'none';
    // Rounded to a microsecond: to write all digits takes longer than the rest of the line.
    const ms = Math.round(reply.elapsedTime * 1000) / 1000;
    log.info({ method, route, status: reply.statusCode, ms, address }, 'answered');
  }
}
