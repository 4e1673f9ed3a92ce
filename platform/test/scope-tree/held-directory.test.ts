import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { holdByDescriptor, holdByPath } from "../../src/scope-tree/held-directory.ts";

async function ground() {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "held directory ")));
	const [real, elsewhere] = [join(root, "a", "b"), join(root, "elsewhere")];
	mkdirSync(real, { recursive: true });
	mkdirSync(join(elsewhere, "b"), { recursive: true });
	return { root, real, elsewhere, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

const kinds = [
	...(process.platform === "linux" ? [{ kind: "by descriptor", hold: holdByDescriptor }] : []),
	{ kind: "by path", hold: holdByPath },
];

describe.each(kinds)("a directory held $kind", ({ kind, hold }) => {
	it("is the one that its path leads to, by whatever spelling", async () => {
		await using place = await ground();
		symlinkSync(join(place.root, "a"), join(place.root, "link"));
		for (const spelling of [place.real, join(place.root, "link", "b")]) {
			using held = hold(spelling, place.real);
			expect(held?.isInPlace()).toBe(true);
			mkdirSync(join(held?.path ?? "", spelling === place.real ? "one" : "two"));
		}
		expect(existsSync(join(place.real, "one")) && existsSync(join(place.real, "two"))).toBe(true);
	});

	it("is not one behind a link, a file, or nothing", async () => {
		await using place = await ground();
		writeFileSync(join(place.root, "file"), "x");
		symlinkSync(place.elsewhere, join(place.root, "link"));
		symlinkSync("nowhere", join(place.root, "dangling"));
		for (const path of ["file", "link", "link/b", "dangling", "missing", "a/b/missing"].map((name) => join(place.root, name)))
			expect(hold(path, path)).toBeUndefined();
		expect(hold(join(place.elsewhere, "b"), place.real)).toBeUndefined();
	});

	it("says when it was moved, or a folder above it was", async () => {
		for (const moved of ["a", "a/b"]) {
			await using place = await ground();
			using held = hold(place.real, place.real);
			renameSync(join(place.root, moved), join(place.root, "moved"));
			expect(held?.isInPlace()).toBe(false);
			symlinkSync(join(place.root, "moved"), join(place.root, moved));
			expect(held?.isInPlace()).toBe(false);
		}
	});

	it.runIf(kind === "by descriptor")("stays the same one when a link takes its place", async () => {
		await using place = await ground();
		using held = hold(place.real, place.real);
		renameSync(join(place.root, "a"), join(place.root, "moved"));
		symlinkSync(place.elsewhere, join(place.root, "a"));
		mkdirSync(join(held?.path ?? "", "made"));
		expect(existsSync(join(place.elsewhere, "b", "made"))).toBe(false);
		expect(existsSync(join(place.root, "moved", "b", "made"))).toBe(true);
	});
});
