import { isPressed, parseAccelerator } from '../bridge/accelerator.ts';

/** Main's global shortcuts while this page has the keyboard focus. */
export class PageShortcuts {
  #accelerators: readonly string[] = [];

  /** @param pressed receives the accelerator that was pressed. A key that is held down counts once. */
  constructor(window: Window, pressed: (accelerator: string) => void) {
    const isMac = window.navigator.userAgent.includes('Mac OS');
    // In the capture phase, before the page: outside of a browser the system would consume the key.
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
