import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Its own folder for one test, removed at its end. */
export function temporaryHome(): Disposable & { readonly path: string } {
	const path = mkdtempSync(join(tmpdir(), "xworkmate-app-"));
	return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
