import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../support/app/command.ts";
import { noMount, skipReason, smallDisk } from "../../support/bridge/small-disk.ts";

const before = `{\n\t// Mine.\n\t"maxActiveRuns": 3, // ${"kept ".repeat(2_000)}\n}\n`;

describe.skipIf(noMount !== undefined)(`config.json where nothing can be written${skipReason}`, () => {
	it("is as it was on a full disk, and the command says so with what to do", async () => {
		await using disk = await smallDisk(4);
		const file = join(disk.home.xworkmate, "config.json");
		writeFileSync(file, before);
		await disk.fill();
		const refused = await runCommand(disk.home, ["config", "set", "maxQueued", "7"]);
		expect([refused.code, refused.stdout]).toEqual([1, ""]);
		expect(refused.stderr).toContain(`${file} was not changed because the disk is full. (DISK_FULL)`);
		expect(refused.stderr).toContain("Free some space, then try again.");
		expect(readFileSync(file, "utf8")).toBe(before);
		expect(readdirSync(disk.home.xworkmate).filter((name) => name.endsWith(".new"))).toEqual([]);
		await disk.free();
		expect((await runCommand(disk.home, ["config", "set", "maxQueued", "7"])).code).toBe(0);
		expect(readFileSync(file, "utf8")).toContain("// Mine.");
	});

	it("is as it was in a read-only home, can be read, and a first one is not begun", async () => {
		await using disk = await smallDisk(4);
		const file = join(disk.home.xworkmate, "config.json");
		writeFileSync(file, before);
		disk.makeReadOnly();
		for (const args of [
			["set", "maxQueued", "7"],
			["unset", "maxActiveRuns"],
		]) {
			const refused = await runCommand(disk.home, ["config", ...args]);
			expect([refused.code, refused.stdout]).toEqual([1, ""]);
			expect(refused.stderr).toContain(`${file} was not changed because its file system is read-only. (HOME_NOT_WRITABLE)`);
			expect(refused.stderr).toContain("writable");
		}
		expect((await runCommand(disk.home, ["config", "secret", "openclawToken"], { stdin: "hunter2hunter2\n" })).code).toBe(1);
		expect((await runCommand(disk.home, ["config", "get", "maxActiveRuns"])).stdout).toBe("3\n");
		expect(readFileSync(file, "utf8")).toBe(before);
	});
});
