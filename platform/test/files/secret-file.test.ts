import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { matchesSecret, SecretFile, SecretFileError } from "../../src/files/index.ts";

function temporarySecret(): Disposable & { readonly file: SecretFile } {
	const folder = mkdtempSync(join(tmpdir(), "secret file "));
	return { file: new SecretFile(join(folder, "secret")), [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

function refusal(file: SecretFile): unknown {
	try {
		return file.read();
	} catch (error) {
		return error instanceof SecretFileError ? error.reason : error;
	}
}

describe("a secret in a file", () => {
	it("is read as it was written, by its owner alone", () => {
		using secret = temporarySecret();
		expect(secret.file.read()).toBeUndefined();
		expect(secret.file.create("one")).toBe(true);
		expect(secret.file.create("two")).toBe(false);
		expect(secret.file.read()).toBe("one");
		secret.file.replace("three");
		expect(secret.file.read()).toBe("three");
		expect(statSync(secret.file.path).mode & 0o777).toBe(0o600);
	});

	it.each([0o640, 0o604, 0o620, 0o601])("is not used when the file's mode is %o", (mode) => {
		using secret = temporarySecret();
		secret.file.create("one");
		chmodSync(secret.file.path, mode);
		expect(refusal(secret.file)).toBe("exposed");
		secret.file.replace("two");
		expect(secret.file.read()).toBe("two");
	});

	it.each([
		["a link", (path: string) => symlinkSync("/etc/hostname", path)],
		["a folder", (path: string) => mkdirSync(path, { mode: 0o700 })],
		["a pipe, which is not waited for", (path: string) => execFileSync("mkfifo", ["-m", "600", path])],
		["a file of many bytes", (path: string) => writeFileSync(path, "x".repeat(5_000), { mode: 0o600 })],
	])("is not taken from %s", (_what, put) => {
		using secret = temporarySecret();
		put(secret.file.path);
		expect(refusal(secret.file)).toBe("not_a_file");
	});

	it("matches itself alone", () => {
		const matches = matchesSecret("a token");
		expect(["a token", "a tokem", "a toke", "a token ", ""].map(matches)).toEqual([true, false, false, false, false]);
	});

	it("matches itself alone, whatever it and the other are", () => {
		// Among them are texts that end like their padding, and texts around the length that is compared and beyond it.
		const ends = ["", "\0", "\u0001", "\u0001\0", "\0\u0001", "é", "\ufffd"];
		const texts = [0, 1, 43, 253, 254, 255, 256, 257, 600].flatMap((length) => ends.map((end) => "a".repeat(length) + end));
		for (const secret of texts) {
			const matches = matchesSecret(secret);
			expect(texts.filter(matches)).toEqual([secret]);
		}
	});
});
