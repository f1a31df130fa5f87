export interface UnitPrograms {
  /** Node's path. */
  readonly node: string;
  /** The path of the built service. */
  readonly service: string;
}

/** As systemd reads a word of a command: `%` and `$` stand for themselves when doubled. */
const word = (text: string): string =>
  `"${text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;

/**
 * The unit for systemd: root, for PAM and useradd want it, and of root's powers those that they use. Each line that
 * leaves something open says for whom.
 */
export const systemdUnit = ({ node, service }: UnitPrograms): string => `[Unit]
Description=Host-account authentication service
After=network.target nss-user-lookup.target

[Service]
Type=exec
ExecStart=${word(node)} ${word(service)}
EnvironmentFile=-/etc/default/hostauth
Restart=on-failure
RestartSec=1
# The service alone is told to end: it drains for 30 s at most, and ends its PAM processes itself.
KillMode=mixed
TimeoutStopSec=35

# useradd: the account files are replaced, so their folder is written to; new homes and mailboxes; records of logins.
ProtectSystem=strict
ReadWritePaths=/etc /home -/var/mail -/var/log/lastlog -/var/log/faillog
ReadOnlyPaths=-/etc/pam.d -/etc/security -/etc/sudoers -/etc/sudoers.d -/etc/ssh -/etc/ssl -/etc/systemd -/etc/cron.d
# pam_faillock: the failures that are counted.
StateDirectory=hostauth hostauth/faillock
StateDirectoryMode=0700
# Homes are made, and Node may live in one.
ProtectHome=no
PrivateTmp=yes
UMask=0077

# SETPCAP, SETUID, SETGID, DAC_READ_SEARCH, KILL: the HTTP process, which drops all of them. CHOWN, FOWNER, FSETID: a new home. DAC_OVERRIDE: tallies, which belong to those they are about. AUDIT_WRITE: the host's log.
CapabilityBoundingSet=CAP_SETPCAP CAP_SETUID CAP_SETGID CAP_DAC_READ_SEARCH CAP_KILL CAP_CHOWN CAP_DAC_OVERRIDE CAP_FOWNER CAP_FSETID CAP_AUDIT_WRITE
# unix_chkpwd is setgid for others' sake: root reads the account files as it is.
NoNewPrivileges=yes
RestrictSUIDSGID=yes
# NETLINK: the host's audit log.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
SystemCallArchitectures=native
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RestrictNamespaces=yes
RestrictRealtime=yes
LockPersonality=yes
KeyringMode=private
# A core file would hold passwords. MemoryDenyWriteExecute is left out: Node compiles while it runs.
LimitCORE=0

[Install]
WantedBy=multi-user.target
`;
