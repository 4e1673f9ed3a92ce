import { describe, expect, it } from "vitest";
import { nameProblem } from "../../../src/sync/disk/name-problem.ts";
import { type DiskOperations, diskOperations, FolderDisk } from "../../../src/sync/index.ts";
import { SyncScene } from "../../support/sync-scene.ts";

function withDisk(change: Partial<DiskOperations>) {
	return { openDisk: (place: ConstructorParameters<typeof FolderDisk>[0]) => new FolderDisk(place, { ...diskOperations, ...change }) };
}

it.each([
	"con",
	"CON",
	"nul.txt",
	"Com1.tar.gz",
	"lpt¹",
	"conout$",
	"con .txt",
	"a/prn/b.txt",
	"a:b",
	"file.txt:stream",
	"dot.",
	"space ",
	"folder./a",
	"what?",
	"star*",
	'"q"',
	"<a>",
	"a|b",
	"a\\b",
	"bell\u0007",
])("Windows refuses %j, Linux and macOS do not", (path) => {
	expect(nameProblem(path, "win32")).toContain("Windows can't store a file with this name");
	expect(nameProblem(path, "linux")).toBeUndefined();
	expect(nameProblem(path, "darwin")).toBeUndefined();
});

it.each(["console.log", "com10", "com", "nullable.ts", ".config", "a b/c.d", "ä.txt", "con-1", "auxiliary"])("Windows takes %j", (path) => {
	expect(nameProblem(path, "win32")).toBeUndefined();
});

describe("a successful run's files", () => {
	it("whose names the system cannot hold are refused by name, and the others come", async () => {
		await using scene = await SyncScene.open();
		const names = ["con", "out/NUL.txt", "a:b", "a. /x", "end.", "what?.md", "fine.txt"];
		const run = scene.finished(Object.fromEntries(names.map((name) => [name, name])));
		const windows = withDisk({ nameProblem: (path) => nameProblem(path, "win32") });
		const result = await scene.sync(run, windows);
		expect(result).toMatchObject({ status: "partial", paths: ["fine.txt"], detail: { code: "NAME_REFUSED" } });
		const refused = result.problems.map(({ code, path }) => `${code} ${path}`);
		expect(refused.sort()).toEqual(
			names
				.slice(0, -1)
				.map((name) => `NAME_REFUSED ${name}`)
				.sort(),
		);
		expect(scene.files()).toEqual({ "fine.txt": "fine.txt" });
		expect(result.detail?.message).toContain("Windows can't store a file with this name");
		// Where they can be held they come as they are.
		expect(await scene.sync(run)).toMatchObject({ status: "synced" });
		expect(Object.keys(scene.files()).sort()).toEqual(names.sort());
	});

	it("that a disk refuses for their names are told apart from a broken disk", async () => {
		await using scene = await SyncScene.open();
		const rename = (from: string, to: string) => {
			if (to.endsWith("a:b")) throw Object.assign(new Error("EINVAL: invalid argument, rename"), { code: "EINVAL" });
			diskOperations.rename(from, to);
		};
		const result = await scene.sync(scene.finished({ "a:b": "x", "fine.txt": "y" }), withDisk({ rename }));
		expect(result).toMatchObject({ paths: ["fine.txt"], problems: [{ code: "NAME_REFUSED", path: "a:b" }] });
	});
});
