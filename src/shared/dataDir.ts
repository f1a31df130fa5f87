/** Where the messenger keeps what belongs to one person of a machine, by the system's custom. */
const APP_DATA: Record<string, (environment: Environment, home: string) => string> = {
  darwin: (_, home) => `${home}/Library/Application Support`,
  win32: ({ APPDATA }, home) => APPDATA || `${home}\\AppData\\Roaming`,
};

type Environment = Readonly<Record<string, string | undefined>>;

const onUnix = ({ XDG_CONFIG_HOME }: Environment, home: string) => XDG_CONFIG_HOME || `${home}/.config`;

/**
 * The data folder: `PARLEY_DATA_DIR`, else the system's per-user folder (contract §2).
 * @param os Node's `process.platform`.
 */
export function dataDir(environment: Environment, os: string, home: string): string {
  if (environment.PARLEY_DATA_DIR) return environment.PARLEY_DATA_DIR;
  return `${(APP_DATA[os] ?? onUnix)(environment, home)}/Parley`;
}
