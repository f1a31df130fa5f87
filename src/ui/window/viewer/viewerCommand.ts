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

const COMMANDS: Readonly<Record<string, ViewerCommand>> = {
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  '0': 'fit',
  PageUp: 'previous',
  PageDown: 'next',
};
const PAN_COMMANDS: Readonly<Record<string, ViewerCommand>> = {
  ArrowLeft: 'panLeft',
  ArrowRight: 'panRight',
  ArrowUp: 'panUp',
  ArrowDown: 'panDown',
};
const GO_COMMANDS: Readonly<Record<string, ViewerCommand>> = { ArrowLeft: 'previous', ArrowRight: 'next' };

/** Returns what a key press does in the viewer; `null` when it is the browser's. The arrow keys move an image that is larger than the viewer. */
export function viewerCommand(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  isLarger: boolean,
): ViewerCommand | null {
  if (ctrlKey || metaKey || altKey) return null;
  return COMMANDS[key] ?? (isLarger ? PAN_COMMANDS : GO_COMMANDS)[key] ?? null;
}
