type Fields = Readonly<Record<string, unknown>>;

const EMPTY: Fields = {
  person: '',
  name: '',
  modifier: '',
  category: '',
  context: '',
  id: '',
  avatar: '',
  seen: false,
  messages: [],
  content: [],
};

/** The fields of each kind of update, in the order of spec §6.1. */
const FIELDS: readonly (readonly string[])[] = [
  ['person', 'messages'],
  ['name'],
  ['modifier', 'id', 'content', 'context', 'avatar', 'seen'],
  ['category'],
  ['context'],
];

/**
 * Returns a received frame with the values as they count (contract §5): a `null` is an empty value, a number as `id` its decimal text.
 * Written without product code.
 */
export function asCounted(frame: unknown): unknown {
  const fields = isObject(frame) && FIELDS.find(([first]) => Object.hasOwn(frame, first ?? ''));
  return fields ? withCounted(frame, fields) : frame;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withCounted(value: unknown, names: readonly string[]): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, names.includes(name) ? counted(name, field) : field]),
  );
}

function counted(name: string, field: unknown): unknown {
  if (field === null) return EMPTY[name];
  if (name === 'id' && typeof field === 'number') return `${field}`;
  if (!Array.isArray(field)) return field;
  if (name === 'messages') return field.map((one) => withCounted(one, FIELDS[2] ?? []));
  return name === 'content' ? field.map((one) => withCounted(one, ['category'])) : field;
}
