/**
 * Prints the software bill of materials (CycloneDX 1.5, JSON) of the lock file on stdout. Needs no network.
 *
 *   node scripts/sbom.mjs [folder of the project]
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { licenseOf, nameOf } from './packages.mjs';
import { runScript } from './runScript.mjs';

/**
 * Creates the software bill of materials (CycloneDX 1.5) from the lock file. The same lock file gives the same bill: it
 * contains no time, and its serial number is a hash of its content.
 */
export function createSbom(root) {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text);
  const { '': project, ...all } = packages;
  const locked = Object.fromEntries(Object.entries(all).filter(([, { link }]) => link !== true));
  const components = new Map();
  const dependencies = new Map([[refOf('', project), dependsOn(packages, '')]]);
  for (const [path, entry] of Object.entries(locked)) {
    const ref = refOf(path, entry);
    const known = components.get(ref);
    components.set(ref, componentOf(path, entry, known));
    dependencies.set(ref, [...(dependencies.get(ref) ?? []), ...dependsOn(packages, path)]);
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(text)}`,
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'pre-build' }],
      component: {
        type: 'application',
        'bom-ref': refOf('', project),
        name: project.name,
        version: project.version,
        purl: purlOf('', project),
        licenses: licensesOf(project.license),
      },
    },
    components: sorted(components).map(([, component]) => component),
    dependencies: sorted(dependencies).map(([ref, refs]) => ({ ref, dependsOn: sortedRefs(refs) })),
  };
}

const sorted = (map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

const sortedRefs = (refs) => [...new Set(refs)].sort((a, b) => (a < b ? -1 : 1));

const refOf = (path, entry) => `${path === '' ? entry.name : nameOf(path, entry)}@${entry.version}`;

const purlOf = (path, entry) => `pkg:npm/${refOf(path, entry).replace(/^@/, '%40')}`;

/** The scopes, the most important one first: a package that is installed twice gets the first of its scopes. */
const SCOPES = ['required', 'optional', 'excluded'];

/** Returns a package's scope: shipped packages are `required`, packages of tools only are `excluded`. */
const scopeOf = ({ dev, devOptional, optional }) =>
  dev ? 'excluded' : optional || devOptional ? 'optional' : 'required';

function componentOf(path, entry, known) {
  const license = licenseOf(path, entry);
  const scopes = new Set([scopeOf(entry), ...(known ? [known.scope] : [])]);
  return {
    type: 'library',
    'bom-ref': refOf(path, entry),
    name: nameOf(path, entry),
    version: entry.version,
    scope: SCOPES.find((scope) => scopes.has(scope)),
    ...(entry.integrity && { hashes: [hashOf(entry.integrity)] }),
    ...(license && { licenses: licensesOf(license) }),
    purl: purlOf(path, entry),
  };
}

const ALGORITHMS = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

function hashOf(integrity) {
  const [algorithm, base64] = integrity.split(/-(.*)/s);
  return { alg: ALGORITHMS[algorithm], content: Buffer.from(base64, 'base64').toString('hex') };
}

const licensesOf = (license) =>
  /[ ()]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];

/** Finds each dependency as Node does: in the package's own `node_modules`, then in those above it. */
function dependsOn(packages, path) {
  const { dependencies, optionalDependencies, devDependencies } = packages[path];
  const own = path === '' ? devDependencies : undefined;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...own });
  return names.flatMap((name) => {
    const found = foldersAbove(path)
      .map((folder) => `${folder}node_modules/${name}`)
      .find((candidate) => candidate in packages);
    return found === undefined ? [] : [refOf(found, packages[found])];
  });
}

function foldersAbove(path) {
  const parts = path.split(/\/?node_modules\//).slice(1);
  const folders = parts.map(
    (_, index) => `node_modules/${parts.slice(0, index + 1).join('/node_modules/')}/`,
  );
  return ['', ...folders].toReversed();
}

/** Derives a UUID from a text (version 8: a rule of our own). */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16], 16) & 0b11) | 0b1000).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

runScript(import.meta, {
  usage: 'node scripts/sbom.mjs [folder of the project]',
  script: (root = resolve(import.meta.dirname, '..')) => ({
    output: `${JSON.stringify(createSbom(root), null, 2)}\n`,
  }),
});
