/** The style of the host's own elements in a page. It is independent of the app's style and follows the system. */
export const overlayStyle = `
:host {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #1e2127);
  --ink: light-dark(#1b1f26, #eceef2);
  --quiet: light-dark(#545c69, #a9b1bf);
  --line: light-dark(#d5d9e0, #3a404b);
  --accent: light-dark(#2456c7, #8fb3ff);
  --on-accent: light-dark(#ffffff, #10182b);
  font: 16px/1.5 system-ui, sans-serif;
}
dialog {
  box-sizing: border-box;
  max-width: min(26rem, calc(100vw - 2rem));
  padding: 1.75rem;
  border: 1px solid var(--line);
  border-radius: 14px;
  background: var(--paper);
  color: var(--ink);
  text-align: center;
  box-shadow: 0 18px 50px rgb(0 0 0 / 25%);
}
dialog:focus {
  outline: 0;
}
dialog::backdrop {
  background: light-dark(rgb(236 239 244 / 92%), rgb(12 14 18 / 92%));
}
h2 {
  margin: 0 0 0.25rem;
  font-size: 1.15rem;
}
p {
  margin: 0;
  color: var(--quiet);
}
button {
  font: inherit;
  color: inherit;
  cursor: pointer;
}
button:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}
dialog > button {
  margin-top: 1.25rem;
  padding: 0.5rem 1.25rem;
  border: 0;
  border-radius: 999px;
  background: var(--accent);
  color: var(--on-accent);
  font-weight: 600;
}
/* Below the title bar. The window's text box is at the bottom, with up to six lines and what is above it; many notes scroll above them. The padding shows their shadows. */
section {
  position: fixed;
  z-index: 2147483647;
  inset: 3rem 0 auto auto;
  box-sizing: border-box;
  display: grid;
  gap: 0.5rem;
  width: min(24rem, 100vw);
  max-height: max(6rem, calc(100vh - 20rem));
  padding: 0.5rem 1rem 1.5rem;
  overflow-y: auto;
  pointer-events: none;
  color: var(--ink);
  text-align: start;
}
section > div {
  display: flex;
  pointer-events: auto;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--paper);
  box-shadow: 0 6px 20px rgb(0 0 0 / 20%);
}
section button {
  border: 0;
  background: none;
  padding: 0.75rem 1rem;
  border-radius: 12px;
}
section button:first-child {
  flex: 1;
  min-width: 0;
  text-align: start;
  overflow-wrap: anywhere;
}
section strong,
section span {
  display: block;
}
section span {
  display: -webkit-box;
  overflow: hidden;
  color: var(--quiet);
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 4;
}
`;
