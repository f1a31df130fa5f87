import { EventEmitter } from 'node:events';

type EventMap<Events> = Record<keyof Events, unknown[]>;

/** What the language itself asks any object for; everything else that is missing was asked for by name. */
const isAskedByTheLanguage = (key: string | symbol) =>
  typeof key === 'symbol' || key === 'then' || key === 'toJSON' || key === 'constructor';

function refuse(owner: string, key: string | symbol): never {
  throw new Error(`electron.${owner}.${String(key)} is not available in the web host`);
}

/** An object of which everything that it does not have throws by name. */
export function onlyWhatIs<T extends object>(owner: string, parts: T): T {
  return new Proxy(parts, {
    get(target, key, receiver): unknown {
      if (key in target || isAskedByTheLanguage(key)) return Reflect.get(target, key, receiver);
      return refuse(owner, key);
    },
  });
}

/**
 * The base of Electron's objects that emit events. What a subclass does not have throws by name:
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

// On the chain of prototypes and not around each object: so `this` stays the object itself.
Object.setPrototypeOf(
  ElectronEmitter.prototype,
  new Proxy(EventEmitter.prototype, {
    get(target, key, receiver): unknown {
      if (key in target || isAskedByTheLanguage(key)) return Reflect.get(target, key, receiver);
      return refuse(nameOf(receiver), key);
    },
  }),
);

/** Electron's event object, as far as a listener may prevent what comes next. */
export class PreventableEvent {
  #prevented = false;

  get defaultPrevented(): boolean {
    return this.#prevented;
  }

  preventDefault(): void {
    this.#prevented = true;
  }
}
