/** The types of columns, with the types of their values. Every value but a list may be missing. */
export interface ColumnValues {
  readonly text: string | undefined;
  /** A list of texts. */
  readonly texts: readonly string[];
  /** A whole number below 2³¹. */
  readonly int: number | undefined;
  /** A whole number below 2⁵³. */
  readonly long: number | undefined;
  readonly double: number | undefined;
  readonly time: Date | undefined;
}

/** The columns of a table, in their order. */
export type Columns = Readonly<Record<string, keyof ColumnValues>>;

/** A row of a table. */
export type Row<C extends Columns> = { readonly [Name in keyof C]: ColumnValues[C[Name]] };

/** One row for each update. What only Parley has is missing in the rows of another app. Times are milliseconds since the start of the recording. No column contains texts of messages. */
export const UPDATE_COLUMNS = {
  /** The path of the capture. */
  capture: 'text',
  /** The number of the update, from 1. */
  update: 'int',
  /** The time of the tick that released it. */
  tick_ms: 'double',
  kind: 'text',
  /** `applied` or `ignored`. */
  effect: 'text',
  /** The time from its frame to its tick. */
  waited_ms: 'double',
  /** The size of its frame. */
  bytes: 'int',
  /** The paths of the conversation, or of another app’s state, that it changed, with indices as `*`, each once. */
  paths: 'texts',
  /** The number of messages after it; only of Parley. */
  messages: 'int',
  /** The status of the connection at the tick. */
  connection: 'text',
} as const satisfies Columns;

/** One row for each capture. */
export const SESSION_COLUMNS = {
  capture: 'text',
  started_at: 'time',
  /** The program that recorded it: Parley’s version, or another program’s name and version. */
  app: 'text',
  /** The time of the last record or tick. */
  duration_ms: 'double',
  received: 'int',
  received_bytes: 'long',
  sent: 'int',
  dropped: 'int',
  rejected: 'int',
  applied: 'int',
  ignored: 'int',
  /** The updates that still waited at the end. */
  waiting: 'int',
  longest_wait_ms: 'double',
  messages: 'int',
  opens: 'int',
  closes: 'int',
  /** The time without a connection after a close. */
  down_ms: 'double',
  /** Why the capture cannot be used; the numbers, and its updates, are then those of the part that was read. */
  problem: 'text',
} as const satisfies Columns;

export type UpdateRow = Row<typeof UPDATE_COLUMNS>;
export type SessionRow = Row<typeof SESSION_COLUMNS>;
