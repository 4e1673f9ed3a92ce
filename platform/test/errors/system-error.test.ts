import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorMessage, ifAbsent, ifNowhere, isDiskFullCode, systemErrorCode } from "../../src/errors/system-error.ts";

const absent = join(tmpdir(), "xworkmate-nothing-is-here");

describe("what the system says", () => {
	it("is the code of its error, and nothing for other values", () => {
		const refused = (() => {
			try {
				return readFileSync(absent);
			} catch (error) {
				return error;
			}
		})();
		expect(systemErrorCode(refused)).toBe("ENOENT");
		expect(errorMessage(refused)).toContain(absent);
		expect(
			[new Error("x"), Object.assign(new Error("x"), { code: 4 }), { code: "ENOENT" }, "ENOENT", undefined].map(systemErrorCode),
		).toEqual(Array(5).fill(undefined));
		expect(errorMessage("torn")).toBe("torn");
	});

	it("is a full disk by its code, a quota's too, and nothing else is", () => {
		expect(["ENOSPC", "EDQUOT", "SQLITE_FULL"].every(isDiskFullCode)).toBe(true);
		expect(["EROFS", "EIO", "ENOENT", undefined].some(isDiskFullCode)).toBe(false);
	});

	it("is undefined for what is not there, and an error for what is there and of another kind", async () => {
		await expect(readFile(absent).catch(ifAbsent)).resolves.toBeUndefined();
		await expect(readdir(import.meta.filename).catch(ifAbsent)).rejects.toMatchObject({ code: "ENOTDIR" });
		await expect(readFile(absent).catch(ifNowhere)).resolves.toBeUndefined();
		await expect(readFile(join(import.meta.filename, "x")).catch(ifNowhere)).resolves.toBeUndefined();
		await expect(readFile(tmpdir()).catch(ifNowhere)).rejects.toMatchObject({ code: "EISDIR" });
	});
});
