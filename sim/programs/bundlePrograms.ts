import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const ROOT = join(import.meta.dirname, '..', '..');

/** The programs of the product, by the names of their bundles. */
const ENTRIES = {
  main: 'src/main/main.ts',
  preload: 'src/preload/preload.ts',
  page: 'sim/programs/pageProgram.ts',
  platform: 'platform/startPlatform.ts',
};

/** The packages whose code is bundled: each run of a program gets its own, because they keep a state, use timers, or import `electron`. */
const BUNDLED = /^(?:electron-redux|redux-persist|lodash\.|debug$|#|\.|\/|\0)/u;

/** Modules that keep no state. The last ones compute the demonstration's pictures and sounds. */
const PURE = /[/\\](?:src[/\\](?:shared|ui)[/\\]|platform[/\\]assistant[/\\](?:samples|pictures)\.ts$)/u;

/** Pictures and styles are not needed. */
const withoutAssets: Plugin = {
  name: 'parley:without-assets',
  resolveId: (id) => (/\?inline$|\.css$/u.test(id) ? `\0${id}` : null),
  load: (id) => (/^\0.*(?:\?inline|\.css)$/u.test(id) ? 'export default "data:image/png;base64,"' : null),
};

/** A schema at the top level of a bundle, and one that uses what a party has of its own. */
const SCHEMA = /^zod\.z\./u;
const OWN = /\b(?:Date|Math|process|performance|URL)\b/u;

/** Schemas are constants that take long to make: each is made once, by the first run of its program, and all other runs share it. */
const sharedSchemas: Plugin = {
  name: 'parley:shared-schemas',
  renderChunk(code, { fileName }) {
    const schemas = this.parse(code).body.flatMap((statement) => {
      if (statement.type !== 'VariableDeclaration') return [];
      return statement.declarations.flatMap(({ id, init }) => {
        const text = init === null ? '' : code.slice(init.start, init.end);
        const isShared = id.type === 'Identifier' && SCHEMA.test(text) && !OWN.test(text);
        return isShared && init !== null ? [{ name: id.name, start: init.start, end: init.end }] : [];
      });
    });
    let rest = code;
    for (const { name, start, end } of schemas.toReversed())
      rest = `${rest.slice(0, start)}share('${fileName} ${name}', () => ${rest.slice(start, end)})${rest.slice(end)}`;
    return rest;
  },
};

/**
 * Bundles the programs of the product for the build, which puts them beside the simulation. What is pure (`src/shared`, `src/ui`) is in a bundle of its own, which all programs share: it
 * keeps no state, and most of the time of a load is its time.
 * @returns the code of each bundle, by its file name.
 */
export async function bundlePrograms(): Promise<Readonly<Record<string, string>>> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    external: (id) => builtinModules.includes(id) || !BUNDLED.test(id),
    resolve: { alias: { 'electron-redux/main': join(ROOT, 'node_modules/electron-redux/es/main.js') } },
    plugins: [withoutAssets, sharedSchemas],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: 'shared', test: PURE }] },
  });
  await bundle.close();
  return Object.fromEntries(
    output.map((chunk) => [chunk.fileName, chunk.type === 'chunk' ? chunk.code : '']),
  );
}
