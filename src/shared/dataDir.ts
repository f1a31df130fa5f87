/** The folder for per-user application data, by operating system. */
const APP_DATA: Record<string, (environment: Environment, home: () => string) => string> = {
  darwin: (_, home) => `${home()}/Library/Application Support`,
  win32: ({ APPDATA }, home) => APPDATA || `${home()}\\AppData\\Roaming`,
};

type Environment = Readonly<Record<string, string | undefined>>;

const onUnix = ({ XDG_CONFIG_HOME }: Environment, home: () => string) =>
  XDG_CONFIG_HOME || `${home()}/.config`;

/**
 * Returns the system's per-user data folder (contract §2).
 * @param os Node's `process.platform`.
 * @param home Returns the person's home folder. It is called only when the environment does not name the data folder.
 */
export const dataDir = (environment: Environment, os: string, home: () => string): string =>
  `${(APP_DATA[os] ?? onUnix)(environment, home)}/Parley`;
