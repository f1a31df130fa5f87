import { fsyncSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { TemporaryFile } from '#files/temporaryFile.ts';
import { syncFolder } from '#files/writeFileAtomically.ts';
import { UsageError } from '../base/errors.ts';
import { writeErrorReason } from '../base/writeOutput.ts';
import type { ColumnValues, Columns, Row } from './tableColumns.ts';

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];

/** A Parquet file that is being written. It has its name only after `publish`. */
export interface ParquetFile<C extends Columns> {
  add(row: Row<C>): void;
  /** Writes the end of the file to the disk. */
  complete(): void;
  /** Gives the file, which is complete, its name. */
  publish(): void;
  /** Removes the file. */
  discard(): void;
}

interface ParquetFileOptions<C extends Columns> {
  readonly path: string;
  readonly columns: C;
  /** Whether an existing file may be replaced. */
  readonly force: boolean;
}

/** The rows in memory, until they are written as one row group. */
const ROWS_PER_GROUP = 50_000;

/**
 * Creates a Parquet file, readable by its owner only.
 * @throws {UsageError} when it cannot be written; so do the functions of the file.
 */
export function createParquetFile<C extends Columns>({
  path,
  columns,
  force,
}: ParquetFileOptions<C>): ParquetFile<C> {
  const file = inWords(path, () => new TemporaryFile(path, { isExclusive: !force }));
  const bytes = new ByteWriter();
  const parquet = new ParquetWriter({ writer: bytes, schema: schemaOf(columns), createdBy: 'Parley' });
  const group = Object.keys(columns).map((name) => ({ name, data: [] as unknown[] }));
  let rows = 0;
  const save = () => {
    inWords(path, () => writeFileSync(file.fd, bytes.getBytes()));
    // The writer counts all bytes in `offset`; `index` is the end of those in its buffer.
    bytes.index = 0;
  };
  const flush = () => {
    if (rows > 0) void parquet.write({ columnData: group, rowGroupSize: rows });
    for (const { data } of group) data.length = 0;
    rows = 0;
    save();
  };
  return {
    add(row) {
      for (const { name, data } of group) data.push(valueOf(row[name], columns[name]));
      if (++rows === ROWS_PER_GROUP) flush();
    },
    complete() {
      flush();
      void parquet.finish();
      save();
      inWords(path, () => fsyncSync(file.fd));
    },
    publish: () =>
      inWords(path, () => {
        file.publish();
        syncFolder(dirname(path));
      }),
    discard: () => file.discard(),
  };
}

/** Runs a function of the system; its errors become those of the user's file. */
function inWords<T>(path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const reason = writeErrorReason(error);
    if (reason === undefined) throw error;
    throw new UsageError(`${path}: ${reason}`, { cause: error });
  }
}

/** Converts a value to the form that the writer expects. */
const valueOf = (value: unknown, type: keyof ColumnValues | undefined): unknown =>
  type === 'long' && typeof value === 'number' ? BigInt(value) : value;

const ELEMENTS = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  int: { type: 'INT32' },
  long: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
} as const;

function schemaOf(columns: Columns): Schema {
  const elements = Object.entries(columns).flatMap(([name, type]): Schema => {
    if (type !== 'texts') return [{ name, ...ELEMENTS[type], repetition_type: 'OPTIONAL' }];
    return [
      { name, converted_type: 'LIST', repetition_type: 'REQUIRED', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', ...ELEMENTS.text, repetition_type: 'REQUIRED' },
    ];
  });
  return [{ name: 'root', num_children: Object.keys(columns).length }, ...elements];
}
