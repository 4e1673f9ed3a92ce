import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { restoreBackup } from "../../src/back-up/restore-backup.ts";
import { writeBackup } from "../../src/back-up/write-backup.ts";
import { restoreCommand } from "../../src/cli/app/backup-commands.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { temporaryHome } from "../support/temporary-home.ts";

it("a stop while the home is being replaced does not hide why that failed, and where the former home is", async () => {
	using folder = temporaryHome();
	const at = (name: string) => join(folder.path, name);
	mkdirSync(at("home"));
	writeFileSync(join(at("home"), "a"), "x");
	await writeBackup({ home: at("home"), file: at("a.backup"), version: "1", onFile: () => undefined });
	const stop = new AbortController();
	const isStopped = stop.signal.throwIfAborted.bind(stop.signal);
	// The last check before the move passes, and Ctrl+C comes right after it.
	const throwIfAborted = () => {
		isStopped();
		if (/at restoreBackup/.test(new Error("where").stack ?? "")) queueMicrotask(() => stop.abort(new Error("Ctrl+C")));
	};
	Object.defineProperty(stop.signal, "throwIfAborted", { value: throwIfAborted });
	// Without the unpacked folder, the move fails.
	const onFile = () => {
		for (const name of readdirSync(folder.path)) if (name.includes("-restoring-")) rmSync(at(name), { recursive: true });
	};
	const request = { file: at("a.backup"), home: at("home"), replace: true, stop: stop.signal, onFile };
	await expect(restoreBackup(request)).rejects.toMatchObject({ code: "HOME_NOT_WRITABLE" });
	expect(stop.signal.aborted).toBe(true);
});

it("the command reports an error that comes after the stop, and not that nothing was restored", async () => {
	using folder = temporaryHome();
	const stop = new AbortController();
	stop.abort(new Error("Ctrl+C"));
	const console = new RecordingConsole();
	const deps = { home: join(folder.path, "home"), version: "1", console, isOtherHome: true, runningApp: async () => undefined };
	const restoring = restoreCommand({ ...deps, stop: stop.signal }, join(folder.path, "none"), { replace: false, json: false });
	await expect(restoring).rejects.toMatchObject({ message: expect.stringContaining("There is no file") });
	expect(console.notes).toEqual([]);
});
