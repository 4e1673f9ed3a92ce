import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isSafePath } from "../../src/back-up/backup-format.ts";
import { restoreBackup } from "../../src/back-up/restore-backup.ts";
import { backupCommand } from "../../src/cli/app/backup-commands.ts";
import { RecordingConsole } from "../support/recording-console.ts";
import { temporaryHome } from "../support/temporary-home.ts";

/** Backs up a home with these files in a folder of an agent, and restores it. */
async function restored(...files: readonly (string | Buffer)[]) {
	const folder = temporaryHome();
	const [home, again, file] = ["home", "again", "a.backup"].map((name) => join(folder.path, name)) as [string, string, string];
	mkdirSync(join(home, "bridge", "work"), { recursive: true });
	writeFileSync(join(home, "bridge", "work", "plain.txt"), "plain");
	for (const name of files) writeFileSync(Buffer.concat([Buffer.from(`${home}/bridge/work/`), Buffer.from(name)]), "odd");
	const console = new RecordingConsole();
	const code = await backupCommand({ home, version: "1.0.0", console }, file, false);
	await restoreBackup({ file, home: again, replace: false, stop: new AbortController().signal, onFile: () => undefined });
	return { folder, console, code, read: (name: string) => readFileSync(join(again, "bridge", "work", name), "utf8") };
}

it.skipIf(process.platform === "win32")(
	"a backup of a home in which an agent made a file with a backslash in its name can be restored",
	async () => {
		const { folder, code, read } = await restored("a\\b.txt", "..\\..\\c.txt");
		using _folder = folder;
		expect([code, read("a\\b.txt"), read("..\\..\\c.txt"), read("plain.txt")]).toEqual([0, "odd", "odd", "plain"]);
	},
);

it.runIf(process.platform === "linux")(
	"a backup says which files it lacks because their names are not UTF-8, and its exit code does too",
	async () => {
		const { folder, console, code, read } = await restored(Buffer.from([0x61, 0xff, 0xfe]), "\uFFFD is a character.txt");
		using _folder = folder;
		expect([code, read("plain.txt"), read("\uFFFD is a character.txt")]).toEqual([8, "plain", "odd"]);
		const at = console.lines.indexOf("Not included, because their names are not UTF-8:");
		expect(console.lines.slice(at, at + 3)).toEqual([expect.anything(), "  bridge/work/a\uFFFD\uFFFD"]);
	},
);

it.runIf(process.platform === "linux")(
	"a backup that lacks a file whose name is not UTF-8 can be restored, although another file's name reads the same",
	async () => {
		const { folder, console, code, read } = await restored(Buffer.from([0x61, 0xff]), "a\uFFFD");
		using _folder = folder;
		expect([code, read("a\uFFFD"), read("plain.txt")]).toEqual([8, "odd", "plain"]);
		expect(console.lines.filter((line) => line === "  bridge/work/a\uFFFD")).toHaveLength(1);
	},
);

it("a backslash is part of a name, except where it separates folders", () => {
	expect([isSafePath("a\\b", "/"), isSafePath("a\\b", "\\"), isSafePath("a/b", "\\")]).toEqual([true, false, true]);
});
