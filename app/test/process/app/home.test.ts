import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { AppError } from "../../../src/errors/app-error.ts";
import { homeProblem } from "../../../src/process/app/home-problem.ts";
import { HomeWatch } from "../../../src/process/app/home-watch.ts";
import { spawnBridge } from "../../../src/process/bridge/spawn-bridge.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

it.each([
	["ENOSPC", "DISK_FULL", "the disk is full", "Free some space"],
	["EDQUOT", "DISK_FULL", "the disk is full", "Free some space"],
	["EROFS", "HOME_NOT_WRITABLE", "read-only", "Make it writable"],
	// Reading may have been denied as well as writing.
	["EACCES", "HOME_NOT_WRITABLE", "can't be used because permission was denied", "Check its owner"],
])("a home that refuses with %s is told as %s, with path and fix", (code, named, words, fix) => {
	const path = "/home/a/.xworkmate/app";
	const problem = homeProblem(Object.assign(new Error(code), { code, path }), "/home/a/.xworkmate");
	expect(problem).toMatchObject({ code: named, message: expect.stringContaining(words), fix: expect.stringContaining(fix) });
	expect(problem).toMatchObject({ message: expect.stringContaining(path) });
});

it("an error that says nothing of the home stays as it is", () => {
	const own = new AppError("PORT_IN_USE", "taken", "another");
	expect(homeProblem(own, "/nowhere")).toBe(own);
	const fault = new TypeError("x is not a function");
	expect(homeProblem(fault, "/nowhere")).toBe(fault);
});

it("a home that is moved away is noticed and named, and no bridge is started in its place", async () => {
	using home = temporaryHome();
	const here = join(home.path, "here");
	mkdirSync(join(here, "app"), { recursive: true });
	writeFileSync(join(here, "app", "app.sqlite"), "");
	using watch = new HomeWatch(here, 10);
	renameSync(here, join(home.path, "elsewhere"));
	expect(await watch.gone).toMatchObject({
		code: "HOME_GONE",
		message: expect.stringContaining(here),
		fix: expect.stringContaining("Put the folder back"),
	});
	await expect(spawnBridge({ home: here, env: {} })).rejects.toMatchObject({
		code: "BRIDGE_NOT_RUNNING",
		message: expect.stringContaining("no longer exists"),
	});
});
