import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editorWords } from "@xworkmate/platform/settings";
import { describe, expect, it } from "vitest";
import { openInEditor } from "../../src/files/open-in-editor.ts";
import { temporaryHome } from "../support/temporary-home.ts";

/** A program that takes the place of the editor, and writes down what it was called with. */
function scene() {
	const home = temporaryHome();
	const folder = join(home.path, "thread");
	mkdirSync(folder);
	const [program, calls] = [join(home.path, "editor.mjs"), join(home.path, "calls.json")];
	writeFileSync(
		program,
		`import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(calls)}, JSON.stringify(process.argv.slice(2)));`,
	);
	return {
		folder,
		command: `"${process.execPath}" '${program}'`,
		calledWith: (): unknown => JSON.parse(readFileSync(calls, "utf8")),
		isCalled: () => existsSync(calls),
		[Symbol.dispose]: () => home[Symbol.dispose](),
	};
}

describe("a file is opened with the editor that is set", () => {
	it.each([
		["a plain name", "report.md"],
		["what a shell would run", "$(touch owned); `touch owned` & touch owned | touch owned > owned"],
		["quotes", 'it\'s "so".txt'],
		["an option", "--install-extension=evil"],
		["braces", "{line}{file}.txt"],
		["a line break", "two\nlines.txt"],
		["spaces", " a  b .txt"],
	])("as one argument, and without a shell: %s", async (_what, name) => {
		using it = scene();
		writeFileSync(join(it.folder, name), "");
		await openInEditor(`${it.command} -g {file}:{line}`, it.folder, [name]);
		expect(it.calledWith()).toEqual(["-g", `${join(it.folder, name)}:1`]);
		expect(existsSync(join(it.folder, "owned")) || existsSync("owned")).toBe(false);
	});

	it("is named at the end where the command has no {file}", async () => {
		using it = scene();
		writeFileSync(join(it.folder, "a.sh"), "#!/bin/sh\n", { mode: 0o755 });
		await openInEditor(it.command, it.folder, ["a.sh"]);
		expect(it.calledWith()).toEqual([join(it.folder, "a.sh")]);
	});

	it("never through a link, a folder or a device, and never what is gone", async () => {
		using it = scene();
		writeFileSync(join(it.folder, "..", "outside"), "");
		symlinkSync("../outside", join(it.folder, "link"));
		symlinkSync("..", join(it.folder, "up"));
		for (const [segments, code] of [
			[["link"], "FILE_BLOCKED"],
			[["up", "outside"], "FILE_BLOCKED"],
			[[".."], "FILE_BLOCKED"],
			[["gone.txt"], "FILE_NOT_FOUND"],
		] as const) {
			await expect(openInEditor(it.command, it.folder, segments)).rejects.toMatchObject({ code });
		}
		expect(it.isCalled()).toBe(false);
	});

	it("says that none is set, that it does not start, and that it ended with an error", async () => {
		using it = scene();
		writeFileSync(join(it.folder, "a.txt"), "");
		await expect(openInEditor(undefined, it.folder, ["a.txt"])).rejects.toMatchObject({ code: "EDITOR_NOT_SET" });
		await expect(openInEditor("no-such-editor-here", it.folder, ["a.txt"])).rejects.toMatchObject({ code: "EDITOR_FAILED" });
		const ends = `"${process.execPath}" -e process.exit(3) {file}`;
		await expect(openInEditor(ends, it.folder, ["a.txt"])).rejects.toMatchObject({ code: "EDITOR_FAILED" });
	});
});

describe("the command of an editor", () => {
	it("is split at spaces outside of quotes", () => {
		expect(editorWords("code -g {file}:{line}")).toEqual(["code", "-g", "{file}:{line}"]);
		expect(editorWords(`  "/my apps/ed" 'a "b" c'\t--x="y z" "" $HOME;ls `)).toEqual(["/my apps/ed", 'a "b" c', "--x=y z", "", "$HOME;ls"]);
	});

	it.each(["", "   ", '""', "{file}", "sh{file}", 'code "{file}', "it's"])("is refused: %j", (command) => {
		expect(editorWords(command)).toMatch(/^must /);
	});
});
