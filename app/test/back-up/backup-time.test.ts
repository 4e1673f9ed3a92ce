import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { restoreBackup } from "../../src/back-up/restore-backup.ts";
import { writeBackup } from "../../src/back-up/write-backup.ts";
import { temporaryHome } from "../support/temporary-home.ts";

afterEach(() => vi.useRealTimers());

it("a backup is as of the moment before its databases were copied, however long that took", async () => {
	using folder = temporaryHome();
	const [from, file, home] = ["home", "a.backup", "again"].map((name) => join(folder.path, name));
	if (from === undefined || file === undefined || home === undefined) throw new Error("there are three");
	mkdirSync(join(from, "app"), { recursive: true });
	writeFileSync(join(from, "app", "token"), "secret");
	vi.useFakeTimers({ now: Date.parse("2026-01-02T10:00:00.000Z"), toFake: ["Date"] });
	const onFile = () => undefined;
	const writing = writeBackup({ home: from, file, version: "1.0.0", onFile });
	vi.setSystemTime(Date.parse("2026-01-02T10:20:00.000Z"));
	await writing;
	const { createdAt } = await restoreBackup({ file, home, replace: false, stop: new AbortController().signal, onFile });
	expect(createdAt).toBe("2026-01-02T10:00:00.000Z");
});
