import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Mounts one folder over another until disposed; both have to exist. Needs root. */
export function mounted(source: string, target: string): Disposable {
	if (!succeeds("mount", "--bind", source, target)) throw new Error(`${source} cannot be mounted at ${target}`);
	return { [Symbol.dispose]: () => void succeeds("umount", target) };
}

/** False where tests run without the right to mount, as most do. */
export function canMount(): boolean {
	if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
	const folder = mkdtempSync(join(tmpdir(), "xw-mount-"));
	const can = succeeds("mount", "--bind", folder, folder);
	if (can) succeeds("umount", folder);
	rmdirSync(folder);
	return can;
}

function succeeds(program: string, ...args: readonly string[]): boolean {
	return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
