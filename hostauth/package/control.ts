/** The dependencies besides the libraries of the executables. Every Debian has prlimit and getent. */
const PROGRAMS = [
  // unix_chkpwd, pam_faillock and pam_unix.
  'libpam-modules',
  'libpam-modules-bin',
  // useradd, chpasswd, userdel.
  'passwd',
];

const DEBIAN_ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'armhf',
  ppc64: 'ppc64el',
  s390x: 's390x',
  riscv64: 'riscv64',
  loong64: 'loong64',
};

/** Returns Debian's name of a `process.arch`; `undefined` when it has none. */
export const debianArchitecture = (arch: string): string | undefined => DEBIAN_ARCHITECTURES[arch];

/** The options of `control`. */
interface ControlOptions {
  readonly version: string;
  /** Debian's name of the architecture. */
  readonly architecture: string;
  /** The result of dpkg-shlibdeps, such as `libc6 (>= 2.34)`. */
  readonly libraries: readonly string[];
  /** In KiB. */
  readonly installedSize: number;
}

/** Returns the control file of the package (Debian Policy §5.3). */
export const control = ({ version, architecture, libraries, installedSize }: ControlOptions): string => `\
Package: hostauth
Version: ${version}
Architecture: ${architecture}
Maintainer: The Parley developers <parley@localhost>
Installed-Size: ${installedSize}
Depends: ${[...libraries, ...PROGRAMS].join(', ')}
Recommends: systemd
Section: admin
Priority: optional
Description: sessions for the accounts of this host, over HTTP
 Programs sign in with the accounts of this host: hostauth asks PAM, issues
 session tokens, and creates users for administrators. It listens on loopback.
 .
 An unprivileged process speaks HTTP. A small helper, which runs as root, asks
 PAM, checks accounts and creates users. Node and the PAM binding are included.
`;
