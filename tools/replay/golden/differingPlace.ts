/** One place where a replay differs from the expected result. A missing value has no field. */
export interface DifferingPlace {
  readonly path: string;
  readonly before?: unknown;
  readonly expected?: unknown;
  readonly got?: unknown;
}
