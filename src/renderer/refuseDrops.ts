/** Where a dragged text may be dropped by the browser's own doing. */
const FIELDS = 'input:not([type="file"]), textarea';

const isTextIntoField = (event: DragEvent): boolean =>
  event.target instanceof Element &&
  event.target.closest(FIELDS) !== null &&
  event.dataTransfer?.types.includes('Files') === false;

/** Whatever is dropped on the window, the window does not go there. Those who want a drop take it before this does. */
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
