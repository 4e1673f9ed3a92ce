import { execFileSync } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { limits } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { readAttachments } from "../../../src/cli/threads/read-attachments.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

/** A file of that size without its bytes on the disk. */
function sized(path: string, bytes: number): string {
	writeFileSync(path, "");
	truncateSync(path, bytes);
	return path;
}

it("takes each file by its own name, with its type and its bytes", async () => {
	using home = temporaryHome();
	const notes = join(home.path, "no\u0308tes.md");
	writeFileSync(notes, "# plums");
	writeFileSync(join(home.path, "data.unheard"), "x");
	const files = await readAttachments([notes, join(home.path, "data.unheard")]);
	expect(files).toEqual([
		{ name: "n\u00f6tes.md", mediaType: "text/markdown", bytes: Buffer.from("# plums") },
		{ name: "data.unheard", mediaType: "application/octet-stream", bytes: Buffer.from("x") },
	]);
});

it("says which path is missing, and which is a folder or something else", async () => {
	using home = temporaryHome();
	const folder = join(home.path, "folder");
	mkdirSync(folder);
	writeFileSync(join(home.path, "file"), "");
	const refusal = (path: string) => readAttachments([path]).catch((error: unknown) => error);
	for (const path of [join(home.path, "nope"), join(home.path, "file", "inside")])
		expect(await refusal(path)).toMatchObject({ code: "INVALID_INPUT", message: `There is no file ${path}.`, fix: "Check the path." });
	const pack = "Attach the files in it one by one, or pack it into one file.";
	expect(await refusal(folder)).toMatchObject({ code: "INVALID_INPUT", message: `${folder} is a folder, not a file.`, fix: pack });
	const pipe = join(home.path, "pipe");
	execFileSync("mkfifo", [pipe]);
	for (const path of [pipe, "/dev/null"])
		expect(await refusal(path)).toMatchObject({
			code: "INVALID_INPUT",
			message: `${path} is a pipe, a device or something else that is not a regular file.`,
			fix: "Save what it contains to a file, and attach that.",
		});
});

it("refuses what is larger than one file or one message may be, with the limits", async () => {
	using home = temporaryHome();
	const most = sized(join(home.path, "most"), limits.attachmentBytes);
	const another = sized(join(home.path, "another"), limits.attachmentBytes);
	const third = sized(join(home.path, "third"), limits.attachmentBytes);
	expect(await readAttachments([most, another])).toHaveLength(2);
	const larger = sized(join(home.path, "larger"), limits.attachmentBytes + 1);
	const fix = "Attach at most 10.5 MB per file and 26.2 MB per message.";
	await expect(readAttachments([larger])).rejects.toMatchObject({ message: `${larger} is too large to attach.`, fix });
	await expect(readAttachments([most, another, third])).rejects.toMatchObject({
		message: `With ${third}, the attachments are too large for one message.`,
		fix,
	});
});

it("refuses two files that would have one name in the run's folder, and names both paths", async () => {
	using home = temporaryHome();
	const paths = ["a/Data.csv", "b/data.csv"].map((path) => join(home.path, path));
	for (const path of paths) {
		mkdirSync(dirname(path));
		writeFileSync(path, "x");
	}
	const same = `${paths[0]} and ${paths[1]} would have the same name in the run's folder, so they can't be attached to one message.`;
	await expect(readAttachments(paths)).rejects.toMatchObject({ code: "INVALID_INPUT", message: same, fix: "Rename one of them." });
	const twice = [paths[0] ?? "", join(home.path, "b", "..", "a", "Data.csv")];
	await expect(readAttachments(twice)).rejects.toMatchObject({ message: `${twice[1]} is listed twice.`, fix: "Attach it once." });
});
