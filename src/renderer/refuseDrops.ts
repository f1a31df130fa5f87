/** The elements into which the browser may drop dragged text. */
const FIELDS = 'input:not([type="file"]), textarea';

const isTextIntoField = (event: DragEvent): boolean =>
  event.target instanceof Element &&
  event.target.closest(FIELDS) !== null &&
  event.dataTransfer?.types.includes('Files') === false;

/** Prevents the window from navigating to dropped files and links. Drop areas handle their events before. */
export function refuseDrops(target: Window): void {
  target.addEventListener('dragover', (event) => {
    if (event.defaultPrevented || isTextIntoField(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  });
  target.addEventListener('drop', (event) => {
    if (!isTextIntoField(event)) event.preventDefault();
  });
}
