import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProviderId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AgentsFolder, type InstalledAgent } from "../../src/agents/agents-folder.ts";
import { findNpm, npmEnvironment } from "../../src/agents/npm-command.ts";
import { VariablesFile } from "../../src/agents/variables-file.ts";

const goose = ProviderId.parse("goose");
const codex = ProviderId.parse("codex");
let root: string;
let warnings: string[];
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "agents-"));
	warnings = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = () => new AgentsFolder(root, (message) => void warnings.push(message));
const installed = (version: string): InstalledAgent => ({
	...{ version, package: "@a/goose", integrity: "sha512-x", program: "node_modules/@a/goose/main.mjs", runtime: "node" },
	installedAt: "2026-01-01T00:00:00.000Z",
});

async function publish(folder: AgentsFolder, version: string): Promise<void> {
	await using staging = folder.stage(goose);
	mkdirSync(join(staging.path, "node_modules/@a/goose"), { recursive: true });
	writeFileSync(join(staging.path, "node_modules/@a/goose/main.mjs"), version);
	folder.publish(goose, staging, installed(version));
}

describe("the folder of agents", () => {
	it("has one version in use, also for the next bridge; the one before keeps its files until then", async () => {
		const folder = open();
		expect(await folder.find(goose)).toBeUndefined();
		await publish(folder, "1.0.0");
		await publish(folder, "2.0.0");
		const path = join(root, "goose", "2.0.0", "node_modules/@a/goose/main.mjs");
		expect(await folder.find(goose)).toMatchObject({ command: process.execPath, before: [path] });
		expect(readdirSync(join(root, "goose")).toSorted()).toEqual(["1.0.0", "2.0.0", "current.json"]);
		const next = open();
		await next.sweep();
		expect(readdirSync(join(root, "goose")).toSorted()).toEqual(["2.0.0", "current.json"]);
		expect(await next.find(goose)).toMatchObject({ before: [path] });
	});

	it("loses what was begun and not published, but nothing that this bridge is preparing", async () => {
		mkdirSync(join(root, "goose", ".staging-of-a-killed-bridge"), { recursive: true });
		const folder = open();
		const staging = folder.stage(goose);
		await folder.sweep();
		expect(readdirSync(join(root, "goose"))).toEqual([staging.path.split("/").at(-1)]);
		await staging[Symbol.asyncDispose]();
		expect(readdirSync(join(root, "goose"))).toEqual([]);
	});

	it("says whether there was anything to remove, also of an installation that does not work", async () => {
		const folder = open();
		expect(await folder.remove(goose)).toBe(false);
		await folder.stage(goose)[Symbol.asyncDispose]();
		expect(await folder.remove(goose)).toBe(false);
		await publish(folder, "1.0.0");
		rmSync(join(root, "goose", "1.0.0", "node_modules"), { recursive: true });
		expect([await folder.remove(goose), existsSync(join(root, "goose"))]).toEqual([true, false]);
		expect(await folder.remove(goose)).toBe(false);
	});

	it("replaces a version whose program is gone", async () => {
		const folder = open();
		await publish(folder, "1.0.0");
		rmSync(join(root, "goose", "1.0.0", "node_modules"), { recursive: true });
		expect(await folder.find(goose)).toBeUndefined();
		await publish(folder, "1.0.0");
		expect(await folder.find(goose)).toBeDefined();
	});

	it.each([
		["no JSON", "{"],
		["a program outside", JSON.stringify({ ...installed("1.0.0"), program: "../../../bin/sh" })],
		["an absolute program", JSON.stringify({ ...installed("1.0.0"), program: "/bin/sh" })],
		["a version that is a path", JSON.stringify({ ...installed("1.0.0"), version: "../codex" })],
	])("does not use a pointer with %s, and says so", async (_, text) => {
		mkdirSync(join(root, "goose"));
		writeFileSync(join(root, "goose", "current.json"), text);
		expect(await open().find(goose)).toBeUndefined();
		expect(warnings).toEqual([expect.stringContaining("current.json")]);
	});

	it("may be no folder at all", async () => {
		writeFileSync(join(root, "goose"), "");
		const folder = open();
		await folder.sweep();
		expect(await folder.find(goose)).toBeUndefined();
		expect(await new AgentsFolder(join(root, "goose", "x"), () => {}).find(goose)).toBeUndefined();
	});
});

describe("the variables of agents", () => {
	it("are each agent's alone, and known before they are used", () => {
		const secrets: string[] = [];
		const file = new VariablesFile(join(root, "agent-secrets.json"), (known) => void secrets.push(...known));
		file.set(goose, { KEY: "of goose", MODEL: "m" });
		file.set(codex, { KEY: "of codex" });
		expect([file.of(goose), file.of(codex)]).toEqual([{ KEY: "of goose", MODEL: "m" }, { KEY: "of codex" }]);
		expect(secrets).toContain("of codex");
		file.set(goose, { KEY: null });
		expect(file.of(goose)).toEqual({ MODEL: "m" });
		file.forget(goose);
		expect(readFileSync(join(root, "agent-secrets.json"), "utf8")).not.toContain("goose");
		expect(file.of(codex)).toEqual({ KEY: "of codex" });
	});

	it("are neither used nor replaced when the file is damaged", () => {
		writeFileSync(join(root, "agent-secrets.json"), "{", { mode: 0o600 });
		const file = new VariablesFile(join(root, "agent-secrets.json"), () => {});
		expect([file.of(goose), file.problem?.code]).toEqual([{}, "AGENT_SECRETS_DAMAGED"]);
		expect(() => file.set(goose, { KEY: "k" })).toThrow("agent-secrets.json");
		expect(readFileSync(join(root, "agent-secrets.json"), "utf8")).toBe("{");
	});

	it("are not said to be gone, or to have never been stored, while their file can't be used", () => {
		const path = join(root, "agent-secrets.json");
		const file = new VariablesFile(path, () => {});
		file.set(goose, { KEY: "k" });
		chmodSync(path, 0o644);
		expect(() => file.forget(goose)).toThrow(expect.objectContaining({ code: "AGENT_REFUSED", detail: expect.stringContaining(path) }));
		chmodSync(path, 0o600);
		expect([file.forget(goose), file.forget(goose)]).toEqual([true, false]);
	});
});

describe("npm", () => {
	it("is the one beside Node, also without a PATH", () => {
		const bin = join(root, "node", "bin");
		const script = join(root, "node", "lib", "node_modules", "npm", "bin", "npm-cli.js");
		mkdirSync(bin, { recursive: true });
		mkdirSync(join(script, ".."), { recursive: true });
		writeFileSync(join(bin, "node"), "");
		writeFileSync(script, "");
		expect(findNpm({}, join(bin, "node"))).toEqual({
			command: join(bin, "node"),
			before: [join(bin, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js")],
		});
		expect(existsSync(findNpm({ PATH: "/usr/bin:/bin" })?.before[0] ?? "/")).toBe(true);
	});

	it("gets no keys of the user, and what it needs to reach a registry", () => {
		const environment = {
			...{ PATH: "/usr/bin", HOME: "/home/a", OPENAI_API_KEY: "secret", XWORKMATE_TOKEN: "secret", npm_config_registry: "http://r/" },
			...{ npm_config_ignore_scripts: "false", https_proxy: "http://p/", npm_package_name: "x" },
		};
		const given = npmEnvironment(environment, "/opt/node/bin/node");
		expect(given).toEqual({
			...{ PATH: "/opt/node/bin:/usr/bin", HOME: "/home/a", npm_config_registry: "http://r/", https_proxy: "http://p/", CI: "1" },
		});
	});
});
