import { describe, expect, it } from "vitest";
import { checkInstalled, checkLock } from "../../src/agents/check-lock.ts";

const hash = `sha512-${"A".repeat(86)}==`;
const source = { name: "@a/agent", version: "1.2.3", needsScripts: false };
const own = { version: "1.2.3", resolved: "https://example.com/@a/agent/-/agent-1.2.3.tgz", integrity: hash };
const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages: { "": { name: "x" }, ...packages } });
const withInner = (inner: object) => lock({ "node_modules/@a/agent": own, "node_modules/inner": { ...own, ...inner } });

describe("what npm is about to install", () => {
	it("is taken if every package has a hash, and is counted for this computer", () => {
		const other = process.platform === "linux" ? "darwin" : "linux";
		const packages = {
			"node_modules/@a/agent": own,
			"node_modules/here": { ...own, os: [process.platform], cpu: [process.arch] },
			"node_modules/elsewhere": { ...own, os: [other] },
			"node_modules/not-there": { ...own, os: [`!${process.platform}`] },
			"node_modules/not-elsewhere": { ...own, os: [`!${other}`] },
			"node_modules/@a/agent/node_modules/bundled": { version: "1.0.0", inBundle: true },
		};
		expect(checkLock(lock(packages), source)).toEqual({ integrity: hash, packages: 3 });
		expect(checkLock(lock(packages), { ...source, integrity: hash })).toMatchObject({ integrity: hash });
	});

	it.each([
		["another version", lock({ "node_modules/@a/agent": { ...own, version: "1.2.4" } }), "instead of 1.2.3"],
		["no list", "[]", "did not write a package list"],
		["no JSON", "{", "did not write a package list"],
		["not the agent", lock({}), "did not write a package list"],
		["a package without a hash", withInner({ integrity: undefined }), "inner has no hash"],
		["a weak hash", withInner({ integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }), "inner has no hash"],
		["a package of git", withInner({ resolved: "git+ssh://git@example.com/inner.git#abc" }), "inner doesn't come from a registry"],
		["a package of this computer", withInner({ resolved: "file:../inner" }), "inner doesn't come from a registry"],
		["a link", withInner({ link: true }), "inner doesn't come from a registry"],
	])("is refused with %s", (_, text, words) => {
		expect(checkLock(text, source)).toContain(words);
	});

	it("is refused if the agent's hash is not the catalogue's", () => {
		const text = lock({ "node_modules/@a/agent": own });
		expect(checkLock(text, { ...source, integrity: `sha512-${"B".repeat(86)}==` })).toContain("its hash differs");
	});
});

describe("what npm has installed", () => {
	const checked = lock({ "node_modules/@a/agent": own, "node_modules/elsewhere": own });

	it("is some of what was checked, with what is inside of that", () => {
		const bundled = { "node_modules/@a/agent/node_modules/b": { version: "1.0.0", inBundle: true } };
		expect(checkInstalled(lock({ "node_modules/@a/agent": own, ...bundled }).replace('"":{"name":"x"},', ""), checked)).toBeUndefined();
	});

	it.each([
		["a package that was not on the list", { "node_modules/new": own }, "new"],
		["another package of that name", { "node_modules/@a/agent": { ...own, integrity: `sha512-${"B".repeat(86)}==` } }, "@a/agent"],
		["a package whose hash is not known any more", { "node_modules/@a/agent": { ...own, integrity: undefined } }, "@a/agent"],
	])("is refused with %s", (_, packages, name) => {
		expect(checkInstalled(JSON.stringify({ packages }), checked)).toBe(`npm installed ${name}, which is not what was checked.`);
	});

	it("is refused without a list", () => {
		expect(checkInstalled("", checked)).toContain("did not write a list");
	});
});
