import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acquireHomeLock, StoreError } from "../../src/store/sqlite/index.ts";
import { runScript } from "./child-process.ts";
import { scratchDirectory } from "./sqlite-store-under-test.ts";

function refusal(directory: string): StoreError {
	try {
		using lock = acquireHomeLock(directory);
		throw new Error(`${lock.directory} was free`);
	} catch (error) {
		if (error instanceof StoreError) return error;
		throw error;
	}
}

describe("ownership of a home", () => {
	it("is refused to a second process, with the pid of the owner, and free after a kill -9", async () => {
		await using scratch = await scratchDirectory();
		await using owner = runScript("hold-home.ts", scratch.path);
		await owner.nextLine();
		const error = refusal(scratch.path);
		expect(error.code).toBe("HOME_IN_USE");
		expect(error.message).toContain(scratch.path);
		expect(error.message).toContain(`process ${owner.pid}`);
		expect(refusal(scratch.path).code).toBe("HOME_IN_USE");
		await owner.kill();
		using lock = acquireHomeLock(scratch.path);
		expect(lock.directory).toBe(scratch.path);
	});

	it("is held once within a process too, and given back when disposed of, also twice", async () => {
		await using scratch = await scratchDirectory();
		const lock = acquireHomeLock(scratch.path);
		expect(refusal(scratch.path).message).toContain(`process ${process.pid}`);
		lock[Symbol.dispose]();
		using next = acquireHomeLock(scratch.path);
		lock[Symbol.dispose]();
		expect(refusal(next.directory).code).toBe("HOME_IN_USE");
	});

	it("survives refused attempts of this process: they do not drop the lock", async () => {
		await using scratch = await scratchDirectory();
		using lock = acquireHomeLock(scratch.path);
		refusal(lock.directory);
		await using other = runScript("try-home.ts", scratch.path);
		expect(await other.nextLine()).toBe("HOME_IN_USE");
	});

	it("names no owner when the pid on file is of a process that is gone", async () => {
		await using scratch = await scratchDirectory();
		await using owner = runScript("hold-home.ts", scratch.path);
		await owner.nextLine();
		writeFileSync(join(scratch.path, "lock.owner"), "999999999\n");
		expect(refusal(scratch.path).message).toContain("another process");
	});

	it("creates the home and its files for their owner alone", async () => {
		await using scratch = await scratchDirectory();
		const home = join(scratch.path, "new", "home");
		using lock = acquireHomeLock(home);
		expect(statSync(lock.directory).mode & 0o777).toBe(0o700);
		expect(readdirSync(home).map((name) => [name, statSync(join(home, name)).mode & 0o777])).toEqual([
			["lock", 0o600],
			["lock.owner", 0o600],
		]);
	});
});
