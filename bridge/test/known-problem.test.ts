import { expect, it } from "vitest";
import { ConfigError } from "../src/config/config-error.ts";
import { knownProblem } from "../src/known-problem.ts";
import { StoreError } from "../src/store/sqlite/index.ts";

const HOME = "/home/a/.xworkmate";
const refused = (code: string) =>
	Object.assign(new Error(`${code}: refused, open '/home/a/.xworkmate/bridge/token'`), { code, path: "/home/a/.xworkmate/bridge/token" });

it.each([
	["ENOSPC", "the disk is full. Free some space"],
	["EDQUOT", "your quota on that disk is used up. Free some space"],
	["EROFS", "its file system is read-only. Make it writable"],
	["EACCES", "permission was denied. Check its owner and permissions"],
	["EPERM", "permission was denied. Check its owner and permissions"],
])("a start that is refused with %s names the path and the fix in one line", (code, words) => {
	const said = knownProblem(refused(code), HOME);
	expect(said).toContain(`/home/a/.xworkmate/bridge/token can't be written because ${words}`);
	expect(said).toContain("XWORKMATE_HOME");
	expect(said).not.toContain("\n");
});

it("a setting's and the store's own words stand, and a fault of the program is none of these", () => {
	expect(knownProblem(new ConfigError("there is no setting X.", "Remove it."), HOME)).toBe("There is no setting X. Remove it.");
	expect(knownProblem(new StoreError("STORE_FULL", "/a is full.", { fix: "Free some space." }), HOME)).toBe("/a is full. Free some space.");
	expect(knownProblem(refused("ENOENT"), HOME)).toBeUndefined();
	expect(knownProblem(new TypeError("x is not a function"), HOME)).toBeUndefined();
});

it("a failure of a file that is open names the home", () => {
	const write = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
	expect(knownProblem(write, HOME)).toContain(`${HOME} can't be written because the disk is full.`);
});
