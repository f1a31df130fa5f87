import helperUnit from '../systemd/hostauth-helper.service?raw';
import httpUnit from '../systemd/hostauth.service?raw';
import sysusers from '../systemd/hostauth.sysusers?raw';

/** The folders of the files: `/etc` for an administrator, `/usr/lib` for a package. */
interface SystemdFilesOptions {
  /** `/etc` or `/usr/lib`. */
  readonly under: string;
  /** The folder of the programs that the units start, without spaces or characters that systemd interprets. */
  readonly programs: string;
}

/** Returns the two units, and the entry of the user of one of them. */
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
