import fs, { type PathLike } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { createDurably, writeDurably } from "../../src/files/write-durably.ts";

// Writes a file durably and stops at a step: by a kill before it, or by a disk that is full in the midst of the text.
// Arguments: writeDurably or createDurably, the path, the text, which step (0 = none), "kill" or "full".
// Each step is printed as it begins.

const [operation = "", path = "", text = "", at = "0", how = "kill"] = process.argv.slice(2);
const paths = new Map<number, PathLike>();
let step = 0;

function begin(name: string, of: PathLike | undefined): void {
	fs.writeSync(1, `${name} ${of === undefined ? "" : kind(of)}\n`);
	if (++step === Number(at) && how === "kill") process.kill(process.pid, "SIGKILL");
}

function kind(of: PathLike): string {
	if (String(of) === path) return "target";
	return String(of).startsWith(`${path}.`) ? "beside" : "folder";
}

const { openSync, writeFileSync, fsyncSync, renameSync, linkSync, rmSync } = fs;
Object.assign(fs, {
	openSync: (...args: Parameters<typeof openSync>) => {
		begin("open", args[0]);
		const descriptor = openSync(...args);
		paths.set(descriptor, args[0]);
		return descriptor;
	},
	writeFileSync: (descriptor: number, content: string) => {
		begin("write", paths.get(descriptor));
		if (step === Number(at) && how === "full") {
			writeFileSync(descriptor, content.slice(0, content.length / 2));
			throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
		}
		writeFileSync(descriptor, content);
	},
	fsyncSync: (descriptor: number) => {
		begin("sync", paths.get(descriptor));
		fsyncSync(descriptor);
	},
	renameSync: (from: PathLike, to: PathLike) => {
		begin("rename", to);
		renameSync(from, to);
	},
	linkSync: (from: PathLike, to: PathLike) => {
		begin("link", to);
		linkSync(from, to);
	},
	rmSync: (...args: Parameters<typeof rmSync>) => {
		begin("remove", args[0]);
		rmSync(...args);
	},
});
syncBuiltinESMExports();

try {
	if (operation === "createDurably") createDurably(path, text);
	else writeDurably(path, text);
} catch (error) {
	fs.writeSync(1, `failed ${error instanceof Error && "code" in error ? error.code : error}\n`);
}
