import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BlobStore } from "../../src/store/blob-store.ts";
import { sha256 } from "../support/fake-run.ts";
import { temporaryHome } from "../support/temporary-home.ts";

it("keeps bytes once under their hash, for their owner alone", () => {
	using home = temporaryHome();
	const folder = join(home.path, "blobs");
	const blobs = new BlobStore(folder);
	for (const text of ["one", "two", "one", ""]) blobs.put(sha256(text), Buffer.from(text));
	expect(readdirSync(folder).sort()).toEqual([sha256("one"), sha256("two"), sha256("")].sort());
	expect(blobs.read(sha256("one"))).toEqual(Buffer.from("one"));
	expect(blobs.read(sha256(""))).toEqual(Buffer.alloc(0));
	expect([statSync(folder).mode & 0o777, statSync(join(folder, sha256("one"))).mode & 0o777]).toEqual([0o700, 0o600]);
});

it("gives nothing that is not what was put there, and puts it right when it comes again", () => {
	using home = temporaryHome();
	const blobs = new BlobStore(home.path);
	expect(blobs.read(sha256("one"))).toBeUndefined();
	blobs.put(sha256("one"), Buffer.from("one"));
	writeFileSync(join(home.path, sha256("one")), "on");
	expect(blobs.read(sha256("one"))).toBeUndefined();
	blobs.put(sha256("one"), Buffer.from("one"));
	expect(blobs.read(sha256("one"))).toEqual(Buffer.from("one"));
});

it("removes what is not used any more, and what a crash left half written", () => {
	using home = temporaryHome();
	const blobs = new BlobStore(join(home.path, "blobs"));
	blobs.keepOnly(new Set());
	expect(existsSync(join(home.path, "blobs"))).toBe(false);
	for (const text of ["one", "two"]) blobs.put(sha256(text), Buffer.from(text));
	writeFileSync(join(home.path, "blobs", `${sha256("three")}.new`), "thr");
	blobs.keepOnly(new Set([sha256("two")]));
	expect(readdirSync(join(home.path, "blobs"))).toEqual([sha256("two")]);
});
