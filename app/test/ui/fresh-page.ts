import { vi } from "vitest";

// Files that share a worker share its document. A page remembers what was typed, pressed and opened in its modules, in the browser's
// storage and in its address: each file opens a page again.
vi.resetModules();
vi.unstubAllGlobals();
// Where a test gives no app, the app is away. A request over the network would be answered by whatever listens on this machine.
globalThis.fetch = () => Promise.reject(new TypeError("There is no app behind this page."));
vi.useRealTimers();
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, "", location.pathname);
document.head.replaceChildren();
document.body.replaceChildren();
for (const name of document.documentElement.getAttributeNames()) document.documentElement.removeAttribute(name);
