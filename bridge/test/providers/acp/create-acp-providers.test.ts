import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Provider } from "../../../src/ports/agents/provider.ts";
import { createAcpProviders } from "../../../src/providers/acp/index.ts";
import { catalogue } from "../../../src/providers/catalogue/catalogue.ts";
import { AcpBench } from "./support/acp-bench.ts";
import { MemoryLedger } from "./support/memory-ledger.ts";
import { unrulyDefinition } from "./support/unruly-definition.ts";

const builtIn = ["codex", "opencode", "gemini", "hermes", "goose", "claude", "qwen"];

describe("the providers of a home", () => {
	it("are the catalogue's, each saying how to get it when it is not installed", async () => {
		await using bench = await AcpBench.open({ environment: { PATH: "/nowhere" } });
		const providers = await providersOf(bench, undefined);
		expect(providers.map(({ providerId }) => providerId)).toEqual(builtIn);
		for (const provider of providers) {
			expect(provider.isDefined).toBe(false);
			expect(await provider.availability()).toMatchObject({
				available: false,
				unavailable: {
					code: "PROVIDER_NOT_INSTALLED",
					message: expect.stringContaining("on PATH"),
					// What XWorkmate itself can install is installed by its own command.
					fix: expect.stringContaining(
						provider.providerId === "hermes" ? "nstall" : `Install it: npm run -s xworkmate -- agents install ${provider.providerId}`,
					),
				},
			});
		}
	});

	it("take an agent of providers.json for the built-in one of its id", async () => {
		await using bench = await AcpBench.open({ agents: [unrulyDefinition({}, "codex")] });
		expect(bench.providers.filter(({ providerId }) => providerId === "codex")).toHaveLength(1);
		expect(await bench.provider("codex").availability()).toEqual({ available: true });
		expect(bench.provider("codex").isDefined).toBe(true);
		expect((await bench.run("UNRULY:SAY mine", {}, "codex")).sink.text).toBe("mine");
	});

	it("name an agent of providers.json that can't be used because its id is one of XWorkmate's own", async () => {
		await using bench = await AcpBench.open();
		const agents = ["assistant", "mine"].map((id) => ({ id, name: id, distribution: { command: { cmd: "my-agent" } } }));
		const providers = await providersOf(bench, JSON.stringify({ agents }));
		expect(providers.map(({ providerId }) => providerId)).toContain("mine");
		expect(providers.map(({ providerId }) => providerId)).not.toContain("assistant");
		const faulty = providers.find(({ providerId }) => providerId === "providers.json");
		expect(await faulty?.availability()).toMatchObject({
			unavailable: { message: expect.stringContaining("The id assistant belongs to one of XWorkmate's own agents") },
		});
	});

	it("say that a corrected command of providers.json is used once the bridge has been restarted", async () => {
		await using bench = await AcpBench.open();
		const agents = [{ id: "mine", name: "Mine", distribution: { command: { cmd: "my-agent" } } }];
		const mine = (await providersOf(bench, JSON.stringify({ agents }))).find(({ providerId }) => providerId === "mine");
		expect(await mine?.availability()).toMatchObject({
			unavailable: { fix: "Install my-agent, or correct the command of mine in providers.json and restart the bridge." },
		});
	});

	it("resolve a command with a path beside providers.json, and npx and uvx on PATH", async () => {
		await using bench = await AcpBench.open();
		const bin = join(bench.root, "bin");
		await mkdir(bin);
		await mkdir(join(bench.root, "another home"));
		const agents = [
			{ id: "beside", name: "Beside", distribution: { command: { cmd: "./agent.sh" } } },
			{ id: "npm", name: "Npm", distribution: { npx: { package: "some-agent@1.0.0", args: ["--acp"] } } },
			{ id: "uv", name: "Uv", distribution: { uvx: { package: "some-agent==1.0.0" } } },
		];
		const echo = '#!/bin/sh\necho "$(basename "$0") $*" >&2\nexit 3\n';
		for (const path of [join(bench.root, "another home", "agent.sh"), join(bin, "npx"), join(bin, "uvx")])
			await writeFile(path, echo, { mode: 0o755 });
		const providers = await providersOf(bench, JSON.stringify({ agents }), `${bin}:/usr/bin:/bin`);
		for (const [id, words] of [
			["beside", "agent.sh "],
			["npm", "npx --yes some-agent@1.0.0 --acp"],
			["uv", "uvx some-agent==1.0.0"],
		] as const) {
			const provider = providers.find(({ providerId }) => providerId === id);
			expect(await provider?.availability()).toEqual({ available: true });
			const outcome = await bench.runWith(provider, "hello");
			expect("message" in outcome && outcome.message).toContain(words.trim());
		}
	});

	it("live with a providers.json that is no JSON: its line is named, the others work", async () => {
		await using bench = await AcpBench.open();
		const providers = await providersOf(bench, '{\n\t"agents": [,]\n}');
		expect(providers.map(({ providerId }) => providerId)).toEqual([...builtIn, "providers.json"]);
		expect(await providers.at(-1)?.availability()).toMatchObject({
			unavailable: {
				code: "PROVIDER_MISCONFIGURED",
				message: expect.stringMatching(/providers\.json:2:13: The file is not JSON \(ValueExpected\)/),
			},
		});
	});

	it("live with one wrong entry: its path is named, its id is not the built-in agent, the other entries work", async () => {
		await using bench = await AcpBench.open();
		const agents = [unrulyDefinition(), { id: "codex", name: "Mine", distribution: { npx: { pakage: "x" } } }, 7];
		const written = JSON.stringify({ agents, colour: "red" }, undefined, "\t");
		const providers = await providersOf(bench, written);
		const unavailable = async (id: string) => {
			const availability = await providers.find(({ providerId }) => providerId === id)?.availability();
			return availability?.available === false ? availability.unavailable.message : undefined;
		};
		expect(await unavailable("unruly")).toBeUndefined();
		expect(await unavailable("codex")).toMatch(/providers\.json:\d+ at agents\[1\]\.distribution/);
		const lineOf = (text: string) => written.split("\n").findIndex((line) => line.trim() === text) + 1;
		expect(await unavailable("codex")).toContain(`providers.json:${lineOf('"npx": {')} at agents[1].distribution.npx`);
		expect(await unavailable("providers.json")).toMatch(new RegExp(`colour[\\s\\S]*providers\\.json:${lineOf("7")} at agents\\[2\\]`));
	});

	it("take the first of two definitions of one id and tell of the second", async () => {
		await using bench = await AcpBench.open();
		const providers = await providersOf(bench, JSON.stringify({ agents: [unrulyDefinition(), unrulyDefinition()] }));
		expect(providers.map(({ providerId }) => providerId)).toEqual([...builtIn, "unruly", "providers.json"]);
	});
});

async function providersOf(bench: AcpBench, file: string | undefined, path = "/nowhere"): Promise<readonly Provider[]> {
	const home = join(bench.root, "another home");
	await mkdir(home, { recursive: true });
	if (file !== undefined) await writeFile(join(home, "providers.json"), file);
	const log = { debug: () => {}, warn: () => {} };
	const nothing = { installed: { find: async () => undefined }, variables: { of: () => ({}) } };
	return createAcpProviders({ home, catalogue, ...nothing, environment: { PATH: path }, ledger: new MemoryLedger(), log }).providers;
}
