/**
 * Returns whether a pasted text only names the files that were pasted with it, one on each line: file managers copy the names or addresses of files as
 * text too.
 */
export function namesFiles(text: string, files: readonly Pick<File, 'name'>[]): boolean {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.length === files.length && files.every(({ name }, at) => isNameOrPath(lines[at] ?? '', name));
}

const isNameOrPath = (line: string, name: string): boolean =>
  line === name || line.startsWith('file://') || line.endsWith(`/${name}`) || line.endsWith(`\\${name}`);
