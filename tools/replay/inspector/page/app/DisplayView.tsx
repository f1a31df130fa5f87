import { isJsonObject } from '#shared/isJsonObject.ts';
import { formatCount } from '../parts/format.ts';

/** The maximum number of entries of a list or an object that are shown. */
const MOST = 500;

/** Shows plain data as text: fields by name, items of a list below each other. */
export function DisplayView({ value }: { readonly value: unknown }) {
  return (
    <div className="display-view">
      <Value value={value} />
    </div>
  );
}

function Value({ value }: { readonly value: unknown }) {
  if (Array.isArray(value)) return <List items={value} />;
  if (isJsonObject(value)) return <Fields fields={Object.entries(value)} />;
  return <span>{String(value)}</span>;
}

function List({ items }: { readonly items: readonly unknown[] }) {
  if (items.length === 0) return <Empty />;
  return (
    <ul>
      {items.slice(0, MOST).map((item, index) => (
        // The items of a state have no identity.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <Value value={item} />
        </li>
      ))}
      <More count={items.length - MOST} />
    </ul>
  );
}

function Fields({ fields }: { readonly fields: readonly (readonly [name: string, value: unknown])[] }) {
  if (fields.length === 0) return <Empty />;
  return (
    <ul>
      {fields.slice(0, MOST).map(([name, value]) => (
        <li key={name}>
          <b>{name}</b> <Value value={value} />
        </li>
      ))}
      <More count={fields.length - MOST} />
    </ul>
  );
}

const Empty = () => <span className="faint">empty</span>;

const More = ({ count }: { readonly count: number }) =>
  count > 0 ? <li className="faint">and {formatCount(count)} more</li> : null;
