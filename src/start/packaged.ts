import { join } from 'node:path';
import { readSettings } from '#shared/settings.ts';
import { startBuiltIn } from './startBuiltIn.ts';

// What an installed program begins with: as `npm start`, in Electron's own process. Electron is not ready before this
// module has been evaluated, so main still comes in time to register its scheme.
if (readSettings(process.env).platform === null) await startBuiltIn();
await import(join(import.meta.dirname, 'main.js'));
