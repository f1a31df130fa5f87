/** A key as a browser names it, and exactly the modifiers that must be held with it. */
interface Accelerator {
  readonly key: string;
  readonly control: boolean;
  readonly meta: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** The part of a key press that is compared with an accelerator. */
export type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const KEYS: Readonly<Record<string, string>> = { return: 'Enter', enter: 'Enter', space: ' ', tab: 'Tab' };

/**
 * Parses an accelerator of Electron: any modifiers and one key, which is a letter, a digit, or one of `KEYS`.
 * @throws {Error} for any other.
 */
export function parseAccelerator(text: string, isMac: boolean): Accelerator {
  const parts = text.toLowerCase().split('+');
  const name = parts.pop() ?? '';
  const key = /^[a-z0-9]$/.test(name) ? name : KEYS[name];
  const held = new Set(parts.map((part) => modifierOf(part, isMac)));
  if (key === undefined || held.has(undefined))
    throw new Error(`The accelerator '${text}' is not available in the web host`);
  return {
    key,
    control: held.has('control'),
    meta: held.has('meta'),
    alt: held.has('alt'),
    shift: held.has('shift'),
  };
}

function modifierOf(part: string, isMac: boolean): 'control' | 'meta' | 'alt' | 'shift' | undefined {
  switch (part) {
    case 'commandorcontrol':
    case 'cmdorctrl':
      return isMac ? 'meta' : 'control';
    case 'control':
    case 'ctrl':
      return 'control';
    case 'command':
    case 'cmd':
    case 'super':
    case 'meta':
      return 'meta';
    case 'alt':
    case 'option':
      return 'alt';
    case 'shift':
      return 'shift';
    default:
      return undefined;
  }
}

/** Returns whether a key press matches an accelerator. */
export const isPressed = (accelerator: Accelerator, press: Press): boolean =>
  press.key.toLowerCase() === accelerator.key.toLowerCase() &&
  press.ctrlKey === accelerator.control &&
  press.metaKey === accelerator.meta &&
  press.altKey === accelerator.alt &&
  press.shiftKey === accelerator.shift;
