import { readFileSync, readdirSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';

/**
 * Returns the lines of the sources that a bundle contains, as `src/….ts:<line>`. The bundler omits functions that no replay calls.
 *
 * @param {string} folder of the bundle, with its source maps.
 */
export function replayedLines(folder) {
  const lines = new Set();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js.map'))) {
    const map = new SourceMap(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    const code = readFileSync(join(folder, name.slice(0, -4)), 'utf8').split('\n');
    code.forEach((text, line) => {
      for (let column = 0; column < text.length; column++) {
        const { originalSource, originalLine } = map.findEntry(line, column);
        if (originalSource !== undefined)
          lines.add(`${originalSource.replace(/^(\.\.\/)+/, '')}:${originalLine + 1}`);
      }
    });
  }
  return lines;
}
