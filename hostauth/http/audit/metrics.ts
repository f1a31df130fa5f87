import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { AuditEvent } from './audit.ts';

/** One answer. */
export interface Answer {
  readonly method: string;
  /** The route's pattern, never the address that was asked for. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** What `GET /metrics` tells, for Prometheus. No names, no addresses. */
export interface Metrics {
  readonly registry: Registry;
  /** Counts an event of the audit log. */
  count(event: AuditEvent): void;
  observe(answer: Answer): void;
  /** @param sizeOf how many sessions live, asked for each time. */
  showSessions(slots: number, sizeOf: () => number): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const events = new Counter({
    name: 'hostauth_events_total',
    help: 'Lines of the audit log',
    labelNames: ['event'],
    registers,
  });
  const seconds = new Histogram({
    name: 'hostauth_http_request_seconds',
    help: 'Time to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10],
    registers,
  });
  // Labels are checked and hashed once for each kind of answer.
  const children = new Map<string, ReturnType<typeof seconds.labels>>();
  const childOf = (labels: Omit<Answer, 'seconds'>) => {
    const key = `${labels.method} ${labels.route} ${labels.status}`;
    const known = children.get(key);
    if (known !== undefined) return known;
    const child = seconds.labels({ ...labels });
    children.set(key, child);
    return child;
  };
  return {
    registry,
    count: (event) => events.inc({ event }),
    observe: ({ seconds: taken, ...labels }) => childOf(labels).observe(taken),
    showSessions: (slots, sizeOf) => void sessionGauges(registry, slots, sizeOf),
  };
}

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
