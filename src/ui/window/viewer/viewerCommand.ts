/** What a key or a button of the viewer does. */
export type ViewerCommand =
  | 'close'
  | 'previous'
  | 'next'
  | 'zoomIn'
  | 'zoomOut'
  | 'fit'
  | 'panLeft'
  | 'panRight'
  | 'panUp'
  | 'panDown';

/** The properties of a key press that determine what it does. */
interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const COMMANDS: ReadonlyMap<string, ViewerCommand> = new Map([
  ['+', 'zoomIn'],
  ['=', 'zoomIn'],
  ['-', 'zoomOut'],
  ['0', 'fit'],
  ['PageUp', 'previous'],
  ['PageDown', 'next'],
]);
const PAN_COMMANDS: ReadonlyMap<string, ViewerCommand> = new Map([
  ['ArrowLeft', 'panLeft'],
  ['ArrowRight', 'panRight'],
  ['ArrowUp', 'panUp'],
  ['ArrowDown', 'panDown'],
]);
const GO_COMMANDS: ReadonlyMap<string, ViewerCommand> = new Map([
  ['ArrowLeft', 'previous'],
  ['ArrowRight', 'next'],
]);

/** Returns what a key press does in the viewer; `null` when it is the browser's. The arrow keys move an image that is larger than the viewer. */
export function viewerCommand(
  { key, ctrlKey, metaKey, altKey }: KeyPress,
  isLarger: boolean,
): ViewerCommand | null {
  if (ctrlKey || metaKey || altKey) return null;
  return COMMANDS.get(key) ?? (isLarger ? PAN_COMMANDS : GO_COMMANDS).get(key) ?? null;
}
