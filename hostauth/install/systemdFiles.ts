import helperUnit from '../systemd/hostauth-helper.service?raw';
import httpUnit from '../systemd/hostauth.service?raw';
import sysusers from '../systemd/hostauth.sysusers?raw';

/** Where each kind of file goes: `/etc` for an administrator, `/usr/lib` for a package. */
export interface SystemdFilesOptions {
  /** `/etc` or `/usr/lib`. */
  readonly under: string;
  /** The folder of the programs that the units start. Without spaces or signs that systemd reads. */
  readonly programs: string;
}

/** The two units, and the user that one of them runs as. */
export function systemdFiles({ under, programs }: SystemdFilesOptions): { path: string; text: string }[] {
  const unit = (name: string, text: string) => ({
    path: `${under}/systemd/system/${name}`,
    text: text.replaceAll('@folder@', programs),
  });
  return [
    unit('hostauth.service', httpUnit),
    unit('hostauth-helper.service', helperUnit),
    { path: `${under}/sysusers.d/hostauth.conf`, text: sysusers },
  ];
}
