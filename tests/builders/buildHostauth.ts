import { type BuiltProgram, buildPrograms } from './buildProgram.ts';

/** Builds the programs of hostauth into a folder for this process; resolves to the path of the command. */
export const buildHostauth = (): Promise<BuiltProgram> =>
  buildPrograms('hostauth', {
    hostauth: 'hostauth/main.ts',
    http: 'hostauth/http/main.ts',
    helper: 'hostauth/helper/main.ts',
    pamChild: 'hostauth/helper/pam/child.ts',
  });
