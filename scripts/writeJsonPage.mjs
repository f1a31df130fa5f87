/**
 * Writes docs/json.md: what the commands of the replay tool print for programs, from the schemas that make it.
 *
 *   node scripts/writeJsonPage.mjs [--check] [folder of the project]
 */
import { z } from 'zod';
import { runPageScript, writePage } from './writePage.mjs';

const INTRODUCTION = `# What the replay tool prints for programs

Find here each field of the documents that \`--json\` prints, and of the lines of NDJSON. \`npm run json\` writes this page from the zod schemas that
make the documents (\`tools/replay/base/jsonDocument.ts\`), and \`npm run check\` fails when it is out of date. [replay.md](replay.md) describes the commands.

\`--json\` puts one document on stdout, on one line, and nothing else. Warnings and errors are on stderr. Run the tool with \`npm run --silent replay --\`, so that npm
prints nothing either. A command that fails before it has a result prints no document; its exit status is 2.

**Versions.** The last field of a document, \`version\`, is the version of its shape; \`stats\` calls it \`documentVersion\`, because its \`version\` is that of the
capture. The lines of \`--reporter ndjson\` have the version of their first line. A new field can be added, in any place, without a new version, so ignore
fields that you do not know. A field that is removed, or whose name, type or meaning changes, raises the version.

**Tables.** \`files[].line\` is the field \`line\` of each item of the list \`files\`. \`*\` is any name. An optional field can be missing.
`;

const code = (text) => `\`${text}\``;

/** Returns what the type of a JSON schema is, in words. */
function typeOf({ type, enum: names, const: value, anyOf, additionalProperties, items }) {
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (names) return names.map(code).join(', ');
  if (value !== undefined) return code(value);
  if (type === 'array') return items.properties ? 'list of objects' : `list of ${typeOf(items)}s`;
  if (type === 'object' && additionalProperties?.type) return `${typeOf(additionalProperties)}s by name`;
  return type === 'integer' ? 'number' : (type ?? 'any JSON value');
}

/** Returns the rows of the fields of a JSON schema. An object that is described by its fields has no row. */
function rowsOf({ properties = {}, required = [] }, prefix = '') {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const inner = field.anyOf?.find(({ type }) => type !== 'null') ?? field;
    const isList = inner.type === 'array';
    const fields = rowsOf(isList ? inner.items : inner, `${path}${isList ? '[]' : ''}.`);
    const isOptional = !required.includes(name);
    const meaning = field.description ?? inner.description;
    if (fields.length > 0 && !isList && !isOptional && meaning === undefined) return fields;
    const row = [code(path), typeOf(field), isOptional ? 'yes' : '–', meaning ?? '–'];
    return [`| ${row.join(' | ')} |`].concat(fields);
  });
}

/** Returns a section of the page. */
function section({ name, title, schema }) {
  const json = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const { version, documentVersion = version } = json.properties;
  const shape = documentVersion?.const === undefined ? '' : `, version ${documentVersion.const}`;
  return [
    `\n## ${code(name)}\n`,
    `${title[0].toUpperCase()}${title.slice(1)}${shape}.\n`,
    '| field | type | optional | meaning |\n|---|---|---|---|',
    ...rowsOf(json),
    '',
  ].join('\n');
}

/**
 * Writes the page of a project, or checks it.
 *
 * @param {string} root the folder of the project
 * @param {boolean} isCheck
 * @param {(path: string) => Promise<any>} load loads a module of the checkout
 * @returns {Promise<string[]>} one line when the page is checked and out of date
 */
export async function writeJsonPage(root, isCheck, load) {
  const { JSON_DOCUMENTS } = await load('tools/replay/replayTool.ts');
  const page = INTRODUCTION + JSON_DOCUMENTS.map(section).join('');
  return writePage({ root, path: 'docs/json.md', page, isCheck, command: 'npm run json' });
}

await runPageScript(import.meta, writeJsonPage);
