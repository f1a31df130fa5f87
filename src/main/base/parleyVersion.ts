import { version } from '../../../package.json';

/** Parley's version. `app.getVersion()` is Electron's own version when Electron starts from a file, as `npm start` starts it. */
export const PARLEY_VERSION: string = version;
