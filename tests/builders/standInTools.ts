import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { readFile, writeFile as writeFileAsync } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { mainFolder } from './mainFolder.ts';

const NAMES = ['useradd', 'chpasswd', 'userdel', 'groupdel', 'getent', 'id'] as const;

type ToolName = (typeof NAMES)[number];

/** Tools that store users in a temporary folder and do not change the host. */
export type StandInTools = ReturnType<typeof standInTools>;

/** The script of each tool unless it is replaced; `$N` is the last argument. */
const SCRIPTS: Readonly<Record<ToolName, string>> = {
  useradd: `
    echo "$N:x:2001:2001::$D/home/$N:/usr/sbin/nologin" >> "$D/passwd"
    echo "$N:!:20000:0:99999:7:::" >> "$D/shadow"
    echo "$N:x:2001:" >> "$D/group"
    mkdir "$D/home/$N"`,
  chpasswd: `:`,
  userdel: `
    for file in passwd shadow group; do sed -i "/^$N:/d" "$D/$file"; done
    rm -r "$D/home/$N"`,
  groupdel: `sed -i "/^$N:/d" "$D/group"`,
  getent: `
    [ "$1" = -s ] && shift 2
    grep "^$2:" "$D/$1" || exit 2`,
  id: `grep "^$N:" "$D/groups-of" | cut -d: -f2 | grep . || exit 1`,
};

/** Ends a part of the record of a call. */
const END = '\u0003\n';

/** Records a call: what the kernel shows of it to every process, then all of its input. One `cat` is quick. */
const RECORD = 'cat /proc/$$/cmdline "$D/end" /proc/$$/environ "$D/end" - "$D/end" >> "$D/calls"';

const LOOK_UPS: ReadonlySet<string> = new Set<ToolName>(['getent', 'id']);

/** Creates a set of tools for one test. */
export function standInTools() {
  const folder = mainFolder();
  for (const file of ['passwd', 'group', 'shadow', 'groups-of', 'calls'])
    fs.writeFileSync(join(folder, file), '');
  fs.writeFileSync(join(folder, 'end'), END);
  fs.mkdirSync(join(folder, 'home'));
  fs.mkdirSync(join(folder, 'bin'));
  fs.writeFileSync(join(folder, 'defaults'), `#HOME=/x\nHOME=${folder}/home\nSHELL=/bin/sh\n`);
  const at = (name: string) => join(folder, name);
  const replace = (tool: ToolName, script: string) => {
    const text = `#!/bin/sh\nD='${folder}'\nfor N; do :; done\n${LOOK_UPS.has(tool) ? '' : RECORD}\n${script}\n`;
    fs.writeFileSync(at(`bin/${tool}`), text, { mode: 0o755 });
  };
  for (const tool of NAMES) replace(tool, SCRIPTS[tool]);
  const event = async (name: string) => {
    execFileSync('mkfifo', [at(name)]);
    // Ends a read for which no program has come.
    onTestFinished(
      () =>
        void (
          fs.existsSync(at(name)) &&
          fs.closeSync(fs.openSync(at(name), fs.constants.O_RDWR | fs.constants.O_NONBLOCK))
        ),
    );
    await readFile(at(name));
  };
  const read = (file: string) => fs.readFileSync(at(file), 'utf8');
  return {
    useradd: at('bin/useradd'),
    chpasswd: at('bin/chpasswd'),
    userdel: at('bin/userdel'),
    groupdel: at('bin/groupdel'),
    getent: at('bin/getent'),
    id: at('bin/id'),
    defaults: at('defaults'),
    folder,
    /** Replaces a tool by a shell script, which may use `$D` (the folder) and the tool's arguments. */
    replace,
    /** Resolves when all programs that opened `$D/<name>` for writing have closed it. Opening it waits for this call. */
    event,
    /** Lets the first run of a tool, before its script, wait for `open`; `waits` resolves when it does. */
    hold(tool: ToolName, script = SCRIPTS[tool]) {
      execFileSync('mkfifo', [at('gate')]);
      const wait = 'if mkdir "$D/held" 2>/dev/null; then echo > "$D/waits"; read _ < "$D/gate"; fi';
      replace(tool, `${wait}\n${script}`);
      return { waits: event('waits'), open: () => writeFileAsync(at('gate'), '\n') };
    },
    add: (file: 'passwd' | 'group' | 'shadow', line: string) =>
      fs.writeFileSync(at(file), `${line}\n`, { flag: 'a' }),
    read,
    /** Returns the runs so far in order, without the look-ups: everything that the host could see of each, and its input. */
    calls: () => callsOf(read('calls')),
  };
}

/** Returns the calls of their records: three parts each. */
function callsOf(records: string) {
  const parts = records.split(END);
  return Array.from({ length: Math.floor(parts.length / 3) }, (_, at) => {
    const [commandLine = '', environment = '', input = ''] = parts.slice(3 * at, 3 * at + 3);
    const words = commandLine.replaceAll('\0', ' ').trimEnd();
    return {
      tool: basename(words.split(' ')[1] ?? ''),
      commandLine: words,
      environment: environment.replaceAll('\0', '\n'),
      input,
    };
  });
}
