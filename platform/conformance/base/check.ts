import type { Outcome } from './outcome.ts';
import type { Subject } from './subject.ts';

/** One check of the platform. */
export interface Check {
  /** A short name, by which `--only` selects it. */
  readonly id: string;
  /** The part of the specification that it checks. */
  readonly row: string;
  /** What it checks: a sentence about the platform. */
  readonly checks: string;
  /** Whether the check needs sockets of the account on which a snapshot arrived. */
  readonly needsSockets: boolean;
  run(subject: Subject): Outcome | Promise<Outcome>;
}
