/**
 * Checks that a packed executable has our fuses: prints one line on stdout, or the wrong fuses on stderr, with exit status 1.
 *
 *   node packaging/checkFuses.mjs <executable>
 */
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { FUSES } from './fuses.mjs';

const [executable = ''] = process.argv.slice(2);
const wire = await getCurrentFuseWire(executable);
const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)));
const wrong = names.filter((name) => {
  const fuse = FuseV1Options[name];
  return wire[fuse] !== (FUSES[fuse] ? FuseState.ENABLE : FuseState.DISABLE);
});
if (wrong.length > 0) {
  process.stderr.write(`wrong fuses: ${wrong.join(', ')}\n`);
  process.exit(1);
}
process.stdout.write(`${names.length} fuses as in packaging/fuses.mjs\n`);
