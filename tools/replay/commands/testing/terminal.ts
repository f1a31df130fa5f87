import { readFile, writeFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { giveStdin, rowsOf, runTool, temporaryFolder, writeCapture } from '../../testing/files.ts';

/** What does not follow from a command's input alone, and what is shown instead. */
const REPLACED = [
  [/"(wallMs|seconds)":[\d.]+/g, '"$1":0'],
  [/"ms":[\d.]+,"warnings"/g, '"ms":0,"warnings"'],
  [/time="[\d.]+"/g, 'time="0"'],
  [/ (in|took)( +)[\d.]+ m?s$/gm, ' $1$2… s'],
] as const;

/** Indents a document that is on one line, and escapes what would reverse a text. */
function readable(out: string): string {
  const [document] = /^\{.*\}\n$/.test(out) ? rowsOf(out) : [];
  if (out !== `${JSON.stringify(document)}\n`) return out;
  return `${JSON.stringify(document, null, 1).replaceAll('\u202E', String.raw`\u202e`)}\n`;
}

/** Runs a command. At its end, ` < file` names what is on stdin, and ` > file` where the output is instead. */
async function shown(line: string): Promise<string> {
  const [, command = '', input, target] = /^(.*?)(?: < (\S+))?(?: > (\S+))?$/.exec(line) ?? [];
  if (input !== undefined) giveStdin(await readFile(input));
  const args = [...command.matchAll(/'([^']*)'|\S+/g)].map(([whole, quoted]) => quoted ?? whole);
  const { status, out, err } = await runTool(...args);
  if (target !== undefined) await writeFile(target, out);
  const stable = REPLACED.reduce((text, [from, to]) => text.replaceAll(from, to), target ? '' : out);
  const end = `${err && `stderr: ${err}`}${status === 0 ? '' : `status: ${status}\n`}`;
  return `$ ${line}\n${readable(stable)}${end}`;
}

/** Makes a folder with these captures the working folder until the end of the test. Returns the folder's function. */
export async function terminal(captures: Readonly<Record<string, readonly CaptureRecord[]>>) {
  const at = await temporaryFolder();
  for (const [name, records] of Object.entries(captures))
    await writeCapture(at(`${name}.parley.jsonl`), records);
  const before = process.cwd();
  process.chdir(at(''));
  onTestFinished(() => process.chdir(before));
  return at;
}

/** Runs commands, each on a line, in the working folder; returns what a terminal shows. */
export async function show(lines: string): Promise<string> {
  let text = '';
  for (const line of lines.trim().split('\n')) text += `${await shown(line.trim())}\n`;
  return text;
}
