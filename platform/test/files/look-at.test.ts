import { mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lookAt } from "../../src/files/index.ts";

it("says whether a file changed since a time, is there unchanged, or is not there", async () => {
	const folder = await mkdtemp(join(tmpdir(), "look-at-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const path = join(folder, "a.md");
	const gone = join(folder, "gone", "b.md");
	const before = Date.now() - 60_000;
	await writeFile(path, "x");
	expect(await lookAt([path], before)).toBe("changed");
	expect(await lookAt([path], Date.now() + 60_000)).toBe("unchanged");
	expect(await lookAt([gone, path], Date.now() + 60_000)).toBe("unchanged");
	expect(await lookAt([gone, path], before)).toBe("changed");
	expect(await lookAt([gone], before)).toBe("absent");
	// Its content is older than the run, which moved it here.
	await utimes(path, 1, 1);
	await rename(path, join(folder, "c.md"));
	expect(await lookAt([join(folder, "c.md")], before)).toBe("changed");
	expect(await lookAt([`${path}\0`], before)).toBeUndefined();
});
