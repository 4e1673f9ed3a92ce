import { mkdirSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { FolderListing } from "../../../src/artifacts/workspace/folder-listing.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

afterEach(() => {
	vi.restoreAllMocks();
});

it("a file whose content was not read before is not read at the end, because there is nothing to compare it with", async () => {
	await using directory = await temporaryDirectory();
	const folder = join(directory.path, "folder");
	mkdirSync(folder);
	const files = ["a.bin", "b.bin", "c.bin"].map((name) => join(folder, name));
	// Two of them are as much as may be read.
	const write = (text: string) => {
		for (const file of files) writeFileSync(file, Buffer.alloc(9_000_000, text));
	};
	write("a");
	const listing = await FolderListing.of(folder);
	write("b");
	await using file = await open(files[0] ?? "");
	const handles: FileHandle = Object.getPrototypeOf(file);
	const read = vi.spyOn(handles, "readFile");
	expect(await listing.edits("folder")).toMatchObject({ total: 2, unsure: { total: 1 } });
	expect(read).toHaveBeenCalledTimes(2);
});
