/** Main's tray, shown as this page's title and icon. */
export class PageTray {
  /** The document's title, restored when the tray is destroyed. */
  #own: string | null = null;
  #icon: HTMLLinkElement | null = null;

  constructor(private readonly document: Document) {}

  show(title: string | null, icon: string | null): void {
    this.#afterItsOwn(() => {
      this.#showTitle(title);
      if (icon === null) this.#icon?.remove();
      else this.#link().href = icon;
    });
  }

  #showTitle(title: string | null): void {
    this.#own ??= this.document.title;
    this.document.title = title ?? this.#own;
  }

  /** The preload runs before the document's own title and icon are read, and the last ones count. */
  #afterItsOwn(task: () => void): void {
    if (this.document.readyState === 'loading') {
      this.document.addEventListener('DOMContentLoaded', task, { once: true });
    } else task();
  }

  #link(): HTMLLinkElement {
    this.#icon ??= Object.assign(this.document.createElement('link'), { rel: 'icon' });
    if (!this.#icon.isConnected) this.document.head.append(this.#icon);
    return this.#icon;
  }
}
