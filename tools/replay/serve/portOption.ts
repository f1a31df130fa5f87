import { UsageError } from '../errors.ts';

const LAST_PORT = 65_535;

/** A port, for commander; 0 takes any. */
export const portOption =
  (name: string) =>
  (text: string): number => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : LAST_PORT + 1;
    if (value > LAST_PORT) throw new UsageError(`${name} takes a port, 0 to ${LAST_PORT}`);
    return value;
  };
