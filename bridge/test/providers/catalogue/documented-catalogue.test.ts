import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { catalogueLaunch } from "../../../src/providers/acp/process/launch.ts";
import { catalogue, installFixOf } from "../../../src/providers/catalogue/catalogue.ts";
import { readCatalogue } from "../../../src/providers/catalogue/read-catalogue.ts";

const page = fileURLToPath(new URL("../../../../docs/agents.md", import.meta.url));
let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "catalogue of a home-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string) {
	writeFileSync(join(folder, "agents.json"), text);
	return readCatalogue(join(folder, "agents.json"));
}

it("the catalogue that the documents show is one that the bridge takes", () => {
	const [, example = ""] = /```json\n([^`]+)```/.exec(readFileSync(page, "utf8")) ?? [];
	expect(read(example)).toMatchObject({
		entries: [
			{
				providerId: "example",
				version: "1.2.3",
				command: "example-agent",
				args: ["--stdio"],
				environment: { EXAMPLE_MODE: "ask" },
				npm: { name: "@example/agent-acp", version: "1.2.3", needsScripts: false },
				install: "npm install -g @example/agent-acp",
			},
		],
	});
});

it("an agent that XWorkmate can't install has a command or other words that say how to install it, and no package", () => {
	const agents = [
		{ id: "python", name: "Python", version: "1.0.0", distribution: { uvx: { package: "some-agent[acp]==1.0.0", args: ["acp"] } } },
		{
			id: "binary",
			name: "Binary",
			version: "1.0.0",
			distribution: {
				binary: Object.fromEntries(
					["linux-x86_64", "linux-aarch64", "darwin-aarch64", "darwin-x86_64"].map((platform) => [
						platform,
						{ archive: "https://example.com/agent.tar.gz", cmd: "./agent" },
					]),
				),
			},
		},
		{
			id: "elsewhere",
			name: "Elsewhere",
			version: "1.0.0",
			distribution: { binary: { "plan9-mips": { archive: "https://example.com/agent.tar.gz", cmd: "./agent" } } },
		},
	];
	const { entries } = read(JSON.stringify({ agents, extensions: [] }));
	expect(entries).toMatchObject([
		{ command: "some-agent", install: 'uv tool install "some-agent[acp]==1.0.0"' },
		{ command: "agent", archive: "https://example.com/agent.tar.gz" },
		{ command: "elsewhere" },
	]);
	expect(entries.map(({ npm }) => npm)).toEqual([undefined, undefined, undefined]);
	// A download alone installs nothing, and words are no command.
	expect(entries.map(({ install }) => install).slice(1)).toEqual([undefined, undefined]);
	const fixes = [
		'Install it in a terminal: uv tool install "some-agent[acp]==1.0.0"',
		'Download it, unpack it, and put agent on PATH: curl -fLO "https://example.com/agent.tar.gz"',
		"See Elsewhere's own website for how to install it.",
	];
	expect(entries.map(installFixOf)).toEqual(fixes);
	expect(entries.map((entry) => catalogueLaunch(entry).installFix)).toEqual(fixes);
});

it.each([
	["{", "agents.json is not valid JSON. The catalogue"],
	['{"agents":[],}', "agents.json is not valid JSON. The catalogue"],
	["[]", "agents.json is not a catalogue of agents (Invalid input: expected object, received array). The catalogue"],
	['{"agents":[{"id":"../up"}]}', "agents.json is not a catalogue of agents (agents.0.id: "],
	['{"agents":[{"id":"a","name":"A","version":"1.0.0","distribution":{"npx":{"package":"a@latest"}}}]}', "exact version"],
	[
		'{"agents":[{"id":"a","name":"A","version":"1.0.0","distribution":{"npx":{"package":"a@1.0.0","env":{"PATH":"/tmp"}}}}]}',
		"agents.0.distribution",
	],
	...["script", "assistant", "openclaw"].map((id) => [
		`{"agents":[{"id":"${id}","name":"A","version":"1.0.0","distribution":{"npx":{"package":"a@1.0.0"}}}]}`,
		`has an agent with the id ${id}, which belongs to one of XWorkmate's own agents, so it needs another id.`,
	]),
	["same", "more than once"],
])("a catalogue that can't be used is named, and the one that comes with XWorkmate is used: %s", (text, words) => {
	const one = { id: "a", name: "A", version: "1.0.0", distribution: { npx: { package: "a@1.0.0" } } };
	const { entries, problem } = read(text === "same" ? JSON.stringify({ agents: [one, one] }) : text);
	expect(entries).toBe(catalogue);
	expect(problem).toMatchObject({ code: "CATALOGUE_UNUSABLE", message: expect.stringContaining(words) });
});

it("without a file, the catalogue is the one that comes with XWorkmate", () => {
	expect(readCatalogue(join(folder, "agents.json"))).toEqual({ entries: catalogue });
	for (const { npm } of catalogue) if (npm !== undefined) expect(npm.integrity).toMatch(/^sha512-/);
});
