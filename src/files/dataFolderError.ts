import { errorCode } from '#shared/errorCode.ts';
import { fileErrorReason } from './fileErrorReason.ts';

/** A data folder that cannot be used. `message` is one line that says what to do. */
export class DataFolderError extends Error {
  override readonly name: string = 'DataFolderError';

  constructor(
    message: string,
    /** The exit status of a program that cannot start without the folder: 2 when another setting helps, else 1. */
    readonly exitStatus: 1 | 2 = 2,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Codes of faults of the machine: the setting itself may be right. */
const MACHINE_FAULTS = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE']);

/** Converts a system error to a `DataFolderError`; returns every other error unchanged. */
export function toDataFolderError(path: string, error: unknown): unknown {
  const code = errorCode(error);
  if (error instanceof DataFolderError || code === undefined) return error;
  const isMachineFault = MACHINE_FAULTS.has(code);
  return new DataFolderError(
    `cannot use the data folder ${path}: ${fileErrorReason(error)}; ` +
      (isMachineFault ? 'solve that, then start again' : 'name another folder with PARLEY_DATA_DIR'),
    isMachineFault ? 1 : 2,
    { cause: error },
  );
}
