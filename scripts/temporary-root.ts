import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Linux keeps files in memory. A container has 64 MB of it by default, and often does not run programs from it. */
const IN_MEMORY = "/dev/shm";
/** Several times what the tests have there at once, the copies of the mutants included. */
const ROOM = 2 * 2 ** 30;
const MEMORY = 4 * 2 ** 30;

/**
 * The folder for temporary folders of tests: in memory if the machine has plenty, because many tests write durably and wait for the disk.
 * No test cuts the power, and what a killed process wrote is kept in either place. `TMPDIR` names another folder.
 */
export function temporaryRoot(): string {
	const isSuited = process.env.TMPDIR === undefined && hasRoom(IN_MEMORY) && runsPrograms(IN_MEMORY);
	return isSuited ? IN_MEMORY : tmpdir();
}

export function hasRoom(folder: string): boolean {
	if (!existsSync(folder) || process.availableMemory() < MEMORY) return false;
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize >= ROOM;
}

/** Whether a program can be put into a folder and started there. */
export function runsPrograms(folder: string): boolean {
	try {
		const own = mkdtempSync(join(folder, "xw-"));
		const program = join(own, "program");
		writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
		const { status } = spawnSync(program);
		rmSync(own, { recursive: true });
		return status === 0;
	} catch {
		return false; // A folder that can't be written is as unsuited as one that runs no program.
	}
}
