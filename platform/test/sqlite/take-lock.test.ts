import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isLockHeld, takeLock } from "../../src/sqlite/index.ts";

it("whether a lock is held is seen without taking it, as often as is asked, and is unknown without its file", () => {
	const folder = mkdtempSync(join(tmpdir(), "xworkmate-lock-"));
	try {
		const path = join(folder, "lock");
		expect(isLockHeld(path)).toBeUndefined();
		{
			using _held = takeLock(path);
			expect([isLockHeld(path), isLockHeld(path)]).toEqual([true, true]);
		}
		expect([isLockHeld(path), isLockHeld(path)]).toEqual([false, false]);
		using again = takeLock(path);
		expect(again).toBeDefined();
	} finally {
		rmSync(folder, { recursive: true });
	}
});
