import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Audit, AuditEvent } from './audit.ts';

/** The answers that are counted together. */
interface AnswerLabels {
  readonly method: string;
  /** The pattern of the route, never the requested path. */
  readonly route: string;
  readonly status: number;
}

/** The metrics of `GET /metrics`, for Prometheus. They contain no names and no addresses. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts an event of the audit log. @param reason that of its line. */
  count(event: AuditEvent, reason?: string): void;
  /** Returns the function that adds the time of an answer, in seconds. */
  observer(labels: AnswerLabels): (seconds: number) => void;
  /** Shows the slots and the live sessions. @param sizeOf returns the number of live sessions. */
  showSessions(slots: number, sizeOf: () => number): void;
}

/** Creates the metrics of one service. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const events = new Counter({
    name: 'hostauth_events_total',
    help: 'Lines of the audit log',
    labelNames: ['event', 'reason'],
    registers,
  });
  const seconds = new Histogram({
    name: 'hostauth_http_request_seconds',
    help: 'Time to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10],
    registers,
  });
  return {
    registry,
    count: (event, reason) => events.inc(reason === undefined ? { event } : { event, reason }),
    observer: (labels) => {
      const child = seconds.labels({ ...labels });
      return (taken) => child.observe(taken);
    },
    showSessions: (slots, sizeOf) => void sessionGauges(registry, slots, sizeOf),
  };
}

/** Creates an audit log whose lines are counted, each with its reason. */
export const countedAudit =
  (audit: Audit, metrics: Pick<Metrics, 'count'>): Audit =>
  (event, fields) => {
    metrics.count(event, fields?.reason);
    audit(event, fields);
  };

function sessionGauges(registry: Registry, slots: number, sizeOf: () => number) {
  const registers = [registry];
  new Gauge({ name: 'hostauth_session_slots', help: 'Slots for sessions', registers }).set(slots);
  return new Gauge({
    name: 'hostauth_sessions',
    help: 'Live sessions',
    registers,
    collect() {
      this.set(sizeOf());
    },
  });
}
