import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { firstWord, resolveTarget } from "./script.ts";
import type { StepEnd, UnrulyTurn } from "./turn.ts";

export function write(turn: UnrulyTurn, rest: string): StepEnd {
	const [path, text] = firstWord(rest);
	const target = resolveTarget(path, turn.directory);
	mkdirSync(dirname(target), { recursive: true });
	writeFileSync(target, text);
	return undefined;
}

/** `REMOVE <path>`: deletes a file, as `WRITE` names it. */
export function remove(turn: UnrulyTurn, path: string): StepEnd {
	rmSync(resolveTarget(path, turn.directory));
	return undefined;
}

/** `WRITE_MANY <count> <bytes>`: files in ten folders. */
export function writeMany(turn: UnrulyTurn, count: number, bytes: number): StepEnd {
	const content = Buffer.alloc(bytes, 0x61);
	for (let index = 0; index < count; index++) {
		const folder = join(turn.directory, `part-${index % 10}`);
		if (index < 10) mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, `file-${index}.txt`), content);
	}
	return undefined;
}

export function symlink(turn: UnrulyTurn, rest: string): StepEnd {
	const [name, target] = firstWord(rest);
	symlinkSync(target || "/etc/passwd", join(turn.directory, name || "link.txt"));
	return undefined;
}

export function hardlink(turn: UnrulyTurn, rest: string): StepEnd {
	const [name, target] = firstWord(rest);
	linkSync(target || "/etc/hostname", join(turn.directory, name || "hard.txt"));
	return undefined;
}

export function fifo(turn: UnrulyTurn, rest: string): StepEnd {
	execFileSync("mkfifo", [join(turn.directory, rest || "pipe.txt")]);
	return undefined;
}
