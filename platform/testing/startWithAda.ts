import { resolve } from 'node:path';
import { connect } from './testPlatform.ts';
import { runProgram } from './program.ts';
import { postAuth } from './testPlatform.ts';
import { ADA, temporaryFolder } from './testPlatform.ts';

/** The built program. */
export const PROGRAM = resolve(import.meta.dirname, '../../out/platform/platform.js');

/** The ready line, without the address at its end. */
export const READY = 'The platform is ready at ';

/** Starts the program in a folder of its own and connects Ada to it. */
export async function startWithAda() {
  const folder = await temporaryFolder();
  const run = runProgram(PROGRAM, ['--port', '0', '--data-dir', folder]);
  const apiUrl = (await run.firstLine).slice(READY.length);
  const { body: account } = await postAuth(apiUrl, ADA);
  const client = await connect(apiUrl.replace('http:', 'ws:'), account);
  return { ...run, folder, apiUrl, account, client };
}
