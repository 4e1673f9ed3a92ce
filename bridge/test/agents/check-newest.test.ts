import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProviderId, Timestamp } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AgentsFolder, type Staging } from "../../src/agents/agents-folder.ts";
import { checkNewest } from "../../src/agents/check-newest.ts";
import type { KnownAgent } from "../../src/agents/known-agent.ts";
import { npmBounds } from "../../src/agents/run-npm.ts";
import type { ManagedAgent } from "../../src/ports/agents/managed-agent.ts";
import { SpawnError } from "../../src/processes/group/process-group.ts";
import { MemoryLedger } from "../providers/acp/support/memory-ledger.ts";

const NOW = Timestamp.parse("2026-11-23T07:02:00.000Z");
const alpha = ProviderId.parse("alpha");
const beta = ProviderId.parse("beta");

let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "newest-"));
	for (const agentId of [alpha, beta]) {
		const installed = {
			version: "1.0.0",
			package: `@fake/${agentId}`,
			integrity: "",
			program: "main.mjs",
			runtime: "node",
			installedAt: NOW,
		};
		mkdirSync(join(root, agentId));
		writeFileSync(join(root, agentId, "current.json"), JSON.stringify(installed));
	}
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("an agent whose npm can't be started has this as its result, and the agents after it have theirs", async () => {
	const checked = await check(new LosingFolder(root, () => {}));
	expect(checked.newest).toEqual([
		{ at: NOW, problem: { code: "CHECK_FAILED", message: "npm couldn't be started.", fix: expect.stringContaining("log") } },
		{ at: NOW, version: "1.1.0" },
	]);
	expect(checked.faults).toEqual([expect.any(SpawnError)]);
});

it("an agent for which nothing can be staged has this as its result, and the agents after it have theirs", async () => {
	const folder = new AgentsFolder(root, () => {});
	rmSync(join(root, alpha), { recursive: true });
	writeFileSync(join(root, alpha), "");
	const checked = await check(folder);
	expect(checked.newest).toMatchObject([{ at: NOW, problem: { code: "CHECK_FAILED" } }, { version: "1.1.0" }]);
	expect(checked.faults).toHaveLength(1);
});

it("a full disk is said plainly, and is no fault", async () => {
	class FullLedger extends MemoryLedger {
		override add(): Promise<void> {
			return Promise.reject(Object.assign(new Error("full"), { code: "EDQUOT" }));
		}
	}
	const checked = await check(new AgentsFolder(root, () => {}), new FullLedger());
	const full = { at: NOW, problem: { code: "DISK_FULL" } };
	expect(checked).toMatchObject({ newest: [full, full], faults: [] });
});

it("why npm failed is to be seen in a terminal, because a check shows no log", async () => {
	const { newest } = await check(new AgentsFolder(root, () => {}), new MemoryLedger(), "not json");
	expect(newest[0]?.problem).toMatchObject({ code: "NPM_FAILED", fix: "To see why, run: npm view @fake/alpha version" });
});

/** Its first agent's staging folder is gone before npm is started in it. */
class LosingFolder extends AgentsFolder {
	override stage(agentId: ProviderId): Staging {
		const staging = super.stage(agentId);
		if (agentId === alpha) rmSync(staging.path, { recursive: true });
		return staging;
	}
}

async function check(folder: AgentsFolder, ledger = new MemoryLedger(), said?: string) {
	await using registry = await startRegistry(said);
	const faults: unknown[] = [];
	const agents = [alpha, beta].map(knownAgent);
	const environment = { ...process.env, TMPDIR: root, npm_config_registry: registry.url };
	const deps = { folder, environment, ledger, bounds: npmBounds, now: () => NOW, onFault: (error: unknown) => void faults.push(error) };
	await checkNewest(deps, agents);
	return { newest: agents.map(({ newest }) => newest), faults };
}

function knownAgent(providerId: ProviderId): KnownAgent {
	const npm = { name: `@fake/${providerId}`, version: "1.0.0", needsScripts: false };
	const managed: ManagedAgent = {
		providerId,
		isWorking: false,
		offered: undefined,
		invocation: async () => undefined,
		probe: () => Promise.reject(new Error("unused")),
		authenticate: async () => undefined,
		endIdle: async () => undefined,
	};
	const texts = { label: providerId, description: "", version: "1.0.0", command: providerId, install: "", login: "" };
	const entry = { providerId, ...texts, args: [], environment: {}, defaultEnvironment: {}, npm, auth: [], resumes: false };
	return { entry, managed };
}

/** Has version 1.1.0 of every package, or says something else of each. */
async function startRegistry(said?: string) {
	const server = createServer(({ url = "/" }, response) => {
		const name = decodeURIComponent(url.slice(1));
		response.setHeader("content-type", "application/json");
		response.end(said ?? JSON.stringify({ name, "dist-tags": { latest: "1.1.0" }, versions: { "1.1.0": { name, version: "1.1.0" } } }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
