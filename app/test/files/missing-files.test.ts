import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { placeOf, savedBefore } from "../../src/files/missing-files.ts";
import { temporaryHome } from "../support/temporary-home.ts";

it("a path is there, empty or taken by something else, and no link is followed", async () => {
	using home = temporaryHome();
	mkdirSync(join(home.path, "in"));
	writeFileSync(join(home.path, "in", "a.md"), "a");
	symlinkSync(join(home.path, "in"), join(home.path, "link"));
	symlinkSync(join(home.path, "in", "a.md"), join(home.path, "file-link"));
	const places = { "in/a.md": "there", "in/b.md": "empty", "new/deep/c.md": "empty" } as const;
	const taken = { in: "taken", "in/a.md/below": "taken", "link/a.md": "taken", "file-link": "taken" } as const;
	for (const [path, place] of Object.entries({ ...places, ...taken }))
		expect([path, await placeOf(home.path, path)]).toEqual([path, place]);
});

it("a path in a folder that was replaced by a file is taken", async () => {
	using home = temporaryHome();
	writeFileSync(join(home.path, "folder"), "not a folder");
	expect(await placeOf(join(home.path, "folder"), "a.md")).toBe("taken");
});

it("a saved file that cannot be looked at counts as not there, so that its sync can end", async () => {
	using home = temporaryHome();
	writeFileSync(join(home.path, "a.md"), "a");
	// The system refuses such a name, whoever asks.
	const tooLong = "x".repeat(300);
	await expect(placeOf(home.path, tooLong)).rejects.toMatchObject({ code: "ENAMETOOLONG" });
	const paths = [tooLong, "a.md"];
	expect(await savedBefore(home.path, paths)).toEqual({ paths, there: new Set(["a.md"]) });
});
