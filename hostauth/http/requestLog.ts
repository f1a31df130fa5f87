import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { clientAddress } from './guards/clientAddress.ts';

/**
 * One line for each request, when it is answered. It names the route and not the address that was asked for, which may
 * hold anything.
 */
export class RequestLog extends LogController {
  override incomingRequest(): void {
    // Nothing is known yet.
  }

  override requestCompleted(
    _error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const { method, log } = request;
    const address = clientAddress(request);
    const route = request.routeOptions.url ?? 'none';
    // To a microsecond: all the digits of a fraction take longer to write than the rest of the line.
    const ms = Math.round(reply.elapsedTime * 1000) / 1000;
    log.info({ method, route, status: reply.statusCode, ms, address }, 'answered');
  }
}
