import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const CHUNK = Buffer.alloc(4096, "f");

/** A file system of a few MiB, which a test fills and frees. */
export interface SmallDisk extends Disposable {
	readonly path: string;
	/** Takes every free page but those of so many bytes. */
	fill(leaving?: number): void;
	free(): void;
}

// A test that timed out disposes of nothing.
const mounted = new Set<string>();
process.on("exit", () => {
	for (const root of mounted) {
		execFileSync("umount", ["-l", root]);
		rmdirSync(root);
	}
});

/** Why no file system can be mounted here; undefined where one can. Mounting takes root and Linux. */
export const noMount: string | undefined = tryMount();

export function smallDisk(mebibytes: number): SmallDisk {
	const root = mkdtempSync(join(tmpdir(), "disk "));
	mount(root, mebibytes);
	mounted.add(root);
	const filler = join(root, "filler");
	const reserve = join(root, "reserve");
	return {
		path: root,
		fill: (leaving = 0) => {
			for (let kept = 0; kept < leaving; kept += CHUNK.length) appendFileSync(reserve, CHUNK);
			while (takesMore(filler));
			rmSync(reserve, { force: true });
		},
		free: () => rmSync(filler, { force: true }),
		[Symbol.dispose]() {
			execFileSync("umount", [root]);
			rmdirSync(root);
			mounted.delete(root);
		},
	};
}

function takesMore(path: string): boolean {
	try {
		appendFileSync(path, CHUNK);
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOSPC") return false;
		throw error;
	}
}

function mount(root: string, mebibytes: number): void {
	execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=700`, "xworkmate-test", root], { stdio: "pipe" });
}

function tryMount(): string | undefined {
	if (process.platform !== "linux") return "mounting a file system takes Linux";
	const root = mkdtempSync(join(tmpdir(), "mount "));
	try {
		mount(root, 1);
		execFileSync("umount", [root]);
		return undefined;
	} catch {
		return "mounting a file system takes root";
	} finally {
		rmdirSync(root);
	}
}
