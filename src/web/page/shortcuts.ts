import { isPressed, parseAccelerator } from '../bridge/accelerator.ts';

/** The global shortcuts of main, as far as this page can hear them: it has the keyboard. */
export class PageShortcuts {
  #accelerators: readonly string[] = [];

  /** @param pressed is told the accelerator that was pressed. A key that is held down is pressed once. */
  constructor(window: Window, pressed: (accelerator: string) => void) {
    const isMac = window.navigator.userAgent.includes('Mac OS');
    // Before anything in the page: elsewhere the system would take the key from it.
    window.addEventListener(
      'keydown',
      (event) => {
        const accelerator = this.#accelerators.find((one) => isPressed(parseAccelerator(one, isMac), event));
        if (accelerator === undefined) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        if (!event.repeat) pressed(accelerator);
      },
      { capture: true },
    );
  }

  set(accelerators: readonly string[]): void {
    this.#accelerators = accelerators;
  }
}
