import type { Middleware } from '@reduxjs/toolkit';
import { isJsonObject } from '#shared/json.ts';
import type { PrivateMeta } from '#shared/actions/defineAction.ts';

/** The private contents of actions, by the action without them. */
const contents = new WeakMap<object, unknown>();

/**
 * Takes the private contents off each action: credentials, bytes, a message on its way, settings of the assistant. Is the outermost middleware of main's store, so the
 * listeners, the recorder, the reducers and the windows never receive `meta.private`. A listener takes them with `privateOf`.
 */
export const takePrivateContents: Middleware = () => (next) => (action) => {
  if (!isJsonObject(action) || !isJsonObject(action['meta']) || !('private' in action['meta']))
    return next(action);
  const { private: taken, ...meta } = action['meta'];
  const open = { ...action, meta };
  contents.set(open, taken);
  return next(open);
};

/** Returns the private contents of a dispatched action; `undefined` for an action that was not dispatched with any. */
export const privateOf = <S>(action: { readonly meta: PrivateMeta<S> }): S | undefined =>
  // The contents of an action have the type that its creator gave them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  contents.get(action) as S | undefined;
