import { EventEmitter } from 'node:events';

type EventMap<Events> = Record<keyof Events, unknown[]>;

/** Returns whether JavaScript itself reads this key of any object. Every other missing key was named by a caller. */
const isReadByLanguage = (key: string | symbol) =>
  typeof key === 'symbol' || key === 'then' || key === 'toJSON' || key === 'constructor';

function refuse(owner: string, key: string | symbol): never {
  throw new Error(`electron.${owner}.${String(key)} is not available in the web host`);
}

/** Returns the parts as an object that throws an error with the name of any missing member. */
export function throwOnMissing<T extends object>(owner: string, parts: T): T {
  return new Proxy(parts, {
    get(target, key, receiver): unknown {
      if (key in target || isReadByLanguage(key)) return Reflect.get(target, key, receiver);
      return refuse(owner, key);
    },
  });
}

/**
 * The base class of Electron's event emitters. A missing member throws an error with its name:
 * `electron.BrowserWindow.setOpacity is not available in the web host`.
 */
export class ElectronEmitter<Events extends EventMap<Events>> extends EventEmitter<Events> {
  constructor(readonly electronName: string) {
    super();
  }
}

const nameOf = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'electronName')
    ? String(Reflect.get(value, 'electronName'))
    : 'EventEmitter';

// The proxy is on the prototype chain and not around each object, so that `this` stays the object itself.
Object.setPrototypeOf(
  ElectronEmitter.prototype,
  new Proxy(EventEmitter.prototype, {
    get(target, key, receiver): unknown {
      if (key in target || isReadByLanguage(key)) return Reflect.get(target, key, receiver);
      return refuse(nameOf(receiver), key);
    },
  }),
);

/** Electron's event object: a listener can prevent the default action. */
export class PreventableEvent {
  #prevented = false;

  get defaultPrevented(): boolean {
    return this.#prevented;
  }

  preventDefault(): void {
    this.#prevented = true;
  }
}
