import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { syncDirectory } from "./sync-directory.ts";

/** Creates a folder and its missing parents, mode 0700. Once this returns, they survive a power cut. */
export function makeFolder(path: string): void {
	const folder = resolve(path);
	const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
	if (first === undefined) return;
	for (let made = folder; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made));
}
