import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, open, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endByPid, processesNaming } from "../machine/live-processes.ts";
import type { TemporaryHome } from "../machine/temporary-home.ts";

const MIB = 1024 * 1024;
const CHUNK = Buffer.alloc(4096, "f");
const UNMOUNT_ATTEMPTS = 50;

/** On `ext4` folders and empty files need room as well. */
export type DiskKind = "tmpfs" | "ext4";

/** A file system of a few MiB with a home on it, which a test fills and frees. */
export interface SmallDisk extends AsyncDisposable {
	readonly home: TemporaryHome;
	/** Takes every free page. */
	fill(): Promise<void>;
	/** Gives them back. */
	free(): Promise<void>;
	/** Gives it another size; a tmpfs only. */
	resize(mebibytes: number): void;
	/** Unmounts it even while it is in use. */
	detach(): void;
	/** Nothing can be written any more. */
	makeReadOnly(): void;
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
export const noMount: string | undefined = tryMount("tmpfs");

/** Where a test of a full disk is to be skipped, its title says why. */
export const skipReason = noMount === undefined ? "" : ` (skipped: ${noMount})`;

/** Why no ext4 can be mounted here. */
export function noExt4(): string | undefined {
	return tryMount("ext4");
}

export async function smallDisk(mebibytes: number, kind: DiskKind = "tmpfs"): Promise<SmallDisk> {
	const root = await mkdtemp(join(tmpdir(), "xw disk-"));
	mount(root, mebibytes, kind);
	mounted.add(root);
	const path = join(root, "Häuser 家");
	const xworkmate = join(path, ".xworkmate");
	await mkdir(xworkmate, { recursive: true, mode: 0o700 });
	const filler = join(root, "filler");
	const nothing = async () => {};
	return {
		home: { path, xworkmate, [Symbol.asyncDispose]: nothing },
		fill: () => fill(filler),
		free: () => rm(filler, { force: true }),
		resize: (size) => void execFileSync("mount", ["-o", `remount,size=${size}m`, root]),
		detach: () => {
			execFileSync("umount", ["-l", root]);
			mounted.delete(root);
		},
		makeReadOnly: () => void execFileSync("mount", ["-o", "remount,ro", root]),
		async [Symbol.asyncDispose]() {
			// A test that failed half-way may have left its processes; they carry this path, so they are its own.
			for (const { pid } of await processesNaming(root)) endByPid(pid);
			if (mounted.delete(root)) await unmount(root);
			await rmdir(root);
		},
	};
}

async function fill(path: string): Promise<void> {
	await using file = await open(path, "a");
	for (;;) {
		try {
			await file.write(CHUNK);
		} catch (error) {
			if (error instanceof Error && "code" in error && error.code === "ENOSPC") return;
			throw error;
		}
	}
}

function mount(root: string, mebibytes: number, kind: DiskKind): void {
	if (kind === "tmpfs") {
		execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=700`, "xworkmate-test", root], { stdio: "pipe" });
		return;
	}
	const image = `${root}.img`;
	try {
		writeFileSync(image, "");
		truncateSync(image, mebibytes * MIB);
		execFileSync("mkfs.ext4", ["-q", "-m", "0", "-F", image], { stdio: "pipe" });
		execFileSync("mount", ["-o", "loop", image, root], { stdio: "pipe" });
	} finally {
		// What is mounted keeps it.
		rmSync(image, { force: true });
	}
}

/** A process that has just ended may hold the file system for a moment; at last it is detached. */
async function unmount(root: string): Promise<void> {
	for (let attempt = 1; attempt < UNMOUNT_ATTEMPTS; attempt++) {
		try {
			execFileSync("umount", [root], { stdio: "pipe" });
			return;
		} catch {
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}
	execFileSync("umount", ["-l", root]);
}

function tryMount(kind: DiskKind): string | undefined {
	if (process.platform !== "linux") return "mounting a file system takes Linux";
	const root = mkdtempSync(join(tmpdir(), "xw mount-"));
	try {
		mount(root, 8, kind);
		execFileSync("umount", [root]);
		return undefined;
	} catch {
		return kind === "tmpfs" ? "mounting a file system takes root" : "mounting an ext4 takes root, mkfs.ext4 and a loop device";
	} finally {
		rmdirSync(root);
	}
}
