/**
 * Resolves a citation to the places of the specification that it names.
 *
 * @param {ReturnType<typeof import('./readSpecification.mjs').readSpecification>} sections
 * @param {{ section: string, rows: string[] }} citation - `spec §4.4.1` is item 1 of `spec §4.4`
 * @returns {{ places: { section: object, row: object | undefined }[], unknown: string[] }} `places`: each row that is cited,
 *   or the section alone. `unknown`: the parts that the specification does not have.
 */
export function resolveCitation(sections, { section: name, rows }) {
  const section = sections.find((one) => one.name === name);
  if (section === undefined) return resolveItem(sections, name);
  if (rows.length === 0) return { places: [{ section, row: undefined }], unknown: [] };
  const found = rows.map((row) => ({ name: row, row: rowNamed(section, row) }));
  return {
    places: found.filter(({ row }) => row !== undefined).map(({ row }) => ({ section, row })),
    unknown: found.filter(({ row }) => row === undefined).map((one) => `${name} ${one.name}`),
  };
}

function resolveItem(sections, name) {
  const { parent, number } = /^(?<parent>.+)\.(?<number>\d+)$/u.exec(name)?.groups ?? {};
  const section = sections.find((one) => one.name === parent);
  const row = section && rowNamed(section, `item ${number}`);
  return row === undefined ? { places: [], unknown: [name] } : { places: [{ section, row }], unknown: [] };
}

const rowNamed = (section, name) => section.rows.find(({ names }) => names.includes(name));
