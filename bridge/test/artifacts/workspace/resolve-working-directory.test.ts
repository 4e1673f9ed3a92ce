import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveExtraDirectories, resolveWorkingDirectory } from "../../../src/artifacts/workspace/resolve-working-directory.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

describe("the requested working directory", () => {
	it("is used when it really lies in or below an allowed root", async () => {
		await using directory = await temporaryDirectory();
		const root = join(directory.path, "root");
		mkdirSync(join(root, "project"), { recursive: true });
		symlinkSync(root, join(directory.path, "root-link"));
		symlinkSync(join(root, "project"), join(root, "project-link"));
		const missing = join(directory.path, "missing");
		expect(await resolveWorkingDirectory(join(root, "project"), [missing, root])).toEqual({ directory: join(root, "project") });
		expect(await resolveWorkingDirectory(root, [`${root}/`])).toEqual({ directory: root });
		expect(await resolveWorkingDirectory(join(root, "project-link"), [join(directory.path, "root-link")])).toEqual({
			directory: join(root, "project"),
		});
		expect(await resolveWorkingDirectory(root, ["/"])).toEqual({ directory: root });
	});

	it("falls back by name otherwise", async () => {
		await using directory = await temporaryDirectory();
		const root = join(directory.path, "root");
		for (const name of ["root", "root-sibling", "..root"]) mkdirSync(join(directory.path, name));
		writeFileSync(join(root, "file"), "x");
		symlinkSync(join(directory.path, "root-sibling"), join(root, "way-out"));
		const cases = {
			project: "not_absolute",
			[`${root}/a\0b`]: "not_absolute",
			[join(root, "missing")]: "missing",
			[join(root, "file")]: "not_a_directory",
			[join(root, "file", "below")]: "missing",
			[join(root, "way-out")]: "outside_allowed_roots",
			[join(directory.path, "root-sibling")]: "outside_allowed_roots",
			[join(directory.path, "..root")]: "outside_allowed_roots",
			[directory.path]: "outside_allowed_roots",
			[`${root}/..`]: "outside_allowed_roots",
		};
		for (const [requested, reason] of Object.entries(cases)) {
			expect([requested, await resolveWorkingDirectory(requested, [root])]).toMatchObject([requested, { fallback: true, reason }]);
		}
		expect(await resolveWorkingDirectory(root, [])).toMatchObject({ fallback: true, reason: "no_allowed_roots" });
	});
});

describe("the contract's further directories", () => {
	it("are those below the working directory, once each", () => {
		const given = ["out", "./out", "/w/d/absolute", "a/../b", "..", "../x", "/etc", "..x", "a\0b", "."];
		expect(resolveExtraDirectories("/w/d", given)).toEqual(["/w/d/out", "/w/d/absolute", "/w/d/b", "/w/d/..x", "/w/d"]);
	});
});
