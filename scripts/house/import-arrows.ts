import { posix } from "node:path";
import { packages } from "./package-files.ts";
import type { SourceFile } from "./source-file.ts";
import { importedModules } from "./syntax.ts";

interface Layer {
	readonly name: string;
	/** The layer's files; the first layer that matches a path contains it. */
	readonly files: RegExp;
	/** Names of the layers it may import in addition to itself. */
	readonly mayImport: readonly string[];
}

const platform = ["platform/errors", "platform/async", "platform"];

const bridgeParts = [
	"bridge/ports",
	"bridge/json",
	"bridge/config",
	"bridge/http",
	"bridge/rpc",
	"bridge/log",
	"bridge/domain",
	"bridge/core",
	"bridge/routing",
	"bridge/artifacts",
	"bridge/store",
	"bridge/sandbox",
	"bridge/processes",
	"bridge/tools",
	"bridge/evidence",
	"bridge/programs",
	"bridge/auth",
	"bridge/operator",
	"bridge/plans",
	"bridge/channels",
	"bridge/agents",
	"bridge/providers",
	"bridge/providers/acp",
	"bridge/providers/openclaw",
	"bridge/providers/script",
	"bridge/providers/assistant",
];

/** What every subject of the app may import. */
const appGround = ["contracts", "platform/errors", "platform/async", "app/errors", "app/strings", "app/text", "app/domain"];

const appParts = [
	"app/errors",
	"app/strings",
	"app/text",
	"app/domain",
	"app/config",
	"app/bridge-client",
	"app/process/bridge",
	"app/subjects",
	"app/core",
	"app/api",
	"app/server",
	"app/process",
	"app/cli",
	"app/ui",
];

/** The layers, each with the layers that it may import. A folder of `bridge/src` or `app/src` that no layer contains is reported. */
const layers: readonly Layer[] = [
	{ name: "contracts", files: /^contracts\/src\//, mayImport: [] },
	// Machine-related code that bridge, app and plugin all need. Its errors are separate, because the page also loads them and does not
	// have Node.
	{ name: "platform/errors", files: /^platform\/src\/errors\//, mayImport: [] },
	// Waiting and order, without Node.
	{ name: "platform/async", files: /^platform\/src\/async\//, mayImport: [] },
	{ name: "platform", files: /^platform\/src\//, mayImport: ["contracts", "platform/errors"] },
	// What the author of a tool imports. It runs in the process of an integration.
	{ name: "tool-sdk", files: /^tool-sdk\/src\//, mayImport: [] },
	{ name: "tool-sdk/test", files: /^tool-sdk\/test\//, mayImport: ["tool-sdk", "e2e"] },
	{ name: "platform/test", files: /^platform\/test\//, mayImport: ["contracts", ...platform] },

	// The bridge: http -> rpc -> core -> domain -> ports. Only bridge/server names the implementations of ports, but the entry
	// holds the home's lock, which belongs to the store.
	{
		name: "bridge/main",
		files: /^bridge\/src\/(?:main|log-destination|known-problem)\.ts$/,
		mayImport: ["contracts", ...platform, "bridge/server", "bridge/config", "bridge/ports", "bridge/store"],
	},
	{
		name: "bridge/server",
		files:
			/^bridge\/src\/(?:server|back-up|check-tools|compose-runs|create-agents|create-models|create-plans|create-providers|database-check|expire-regularly|home-watch|live-settings|storage-of|verify-files|verify-home|verify-logs|wait-for-space)\.ts$/,
		mayImport: ["contracts", ...platform, ...bridgeParts],
	},
	{ name: "bridge/ports", files: /^bridge\/src\/ports\//, mayImport: ["contracts", "platform/errors"] },
	{ name: "bridge/json", files: /^bridge\/src\/json\//, mayImport: [] },
	{ name: "bridge/config", files: /^bridge\/src\/config\//, mayImport: ["contracts", ...platform, "bridge/ports", "bridge/core"] },
	{
		name: "bridge/http",
		files: /^bridge\/src\/http\//,
		mayImport: ["contracts", ...platform, "bridge/ports", "bridge/json", "bridge/rpc", "bridge/domain"],
	},
	{ name: "bridge/rpc", files: /^bridge\/src\/rpc\//, mayImport: ["contracts", "bridge/ports"] },
	// Independent of runs, which are one kind of its streams.
	{ name: "bridge/log", files: /^bridge\/src\/log\//, mayImport: ["contracts", "bridge/ports"] },
	{ name: "bridge/domain", files: /^bridge\/src\/(?:runs|plans)\/domain\//, mayImport: ["contracts", "bridge/ports"] },
	{
		name: "bridge/core",
		files: /^bridge\/src\/(?:runs\/engine|approvals|sessions)\//,
		mayImport: ["contracts", "bridge/ports", "bridge/log", "bridge/domain", "bridge/routing"],
	},
	{ name: "bridge/routing", files: /^bridge\/src\/routing\//, mayImport: ["contracts", "platform/errors", "bridge/ports"] },
	// Folders that runs work in: the files they leave, and what they change in git repositories.
	{ name: "bridge/artifacts", files: /^bridge\/src\/(?:artifacts|git|edits)\//, mayImport: ["contracts", ...platform, "bridge/ports"] },
	// Process groups, which end as a unit and are recorded for the next bridge.
	{ name: "bridge/processes", files: /^bridge\/src\/processes\//, mayImport: ["platform/errors", "bridge/ports"] },
	{
		name: "bridge/sandbox",
		files: /^bridge\/src\/sandbox\//,
		mayImport: ["contracts", "bridge/ports", "bridge/json", "bridge/processes"],
	},
	// Built-in tools, and the integrations of the home, each in a process of its own.
	{
		name: "bridge/tools",
		files: /^bridge\/src\/tools\//,
		mayImport: [
			"contracts",
			...platform,
			"tool-sdk",
			"bridge/ports",
			"bridge/json",
			"bridge/processes",
			"bridge/sandbox",
			"bridge/providers",
		],
	},
	// Receipts: their ledger outside the database, what is shown of them, and whether they are whole.
	{
		name: "bridge/evidence",
		files: /^bridge\/src\/evidence\//,
		mayImport: ["contracts", ...platform, "bridge/ports", "bridge/log", "bridge/domain"],
	},
	// A program's steps, its replay, and the gate before each call.
	{ name: "bridge/programs", files: /^bridge\/src\/programs\//, mayImport: ["contracts", "bridge/ports"] },
	// Accounts of the makers of models: where their secrets are, and which one is used.
	{ name: "bridge/auth", files: /^bridge\/src\/auth\//, mayImport: ["contracts", ...platform, "bridge/ports"] },
	// Services in which the user talks to the bridge; a client of the core like any other.
	{
		name: "bridge/operator",
		files: /^bridge\/src\/operator\//,
		mayImport: ["contracts", "platform/errors", "platform/async", "bridge/ports"],
	},
	// What is to be done when, and where its result goes.
	{
		name: "bridge/plans",
		files: /^bridge\/src\/plans\//,
		mayImport: ["contracts", "platform/errors", "platform/async", "bridge/ports", "bridge/domain"],
	},
	// The channels on which messages leave the bridge. Each implements a port, and does not depend on plans.
	{ name: "bridge/channels", files: /^bridge\/src\/channels\//, mayImport: ["contracts", ...platform, "bridge/ports", "bridge/auth"] },
	// Agents: installed from npm into the home, updated, removed, and signed in.
	{
		name: "bridge/agents",
		files: /^bridge\/src\/agents\//,
		mayImport: ["contracts", ...platform, "bridge/ports", "bridge/processes", "bridge/auth", "bridge/providers"],
	},
	{ name: "bridge/store", files: /^bridge\/src\/store\//, mayImport: ["contracts", ...platform, "bridge/ports"] },
	{
		name: "bridge/providers/acp",
		files: /^bridge\/src\/providers\/acp\//,
		mayImport: ["contracts", ...platform, "bridge/ports", "bridge/json", "bridge/processes", "bridge/providers"],
	},
	{
		name: "bridge/providers/openclaw",
		files: /^bridge\/src\/providers\/openclaw\//,
		mayImport: ["contracts", ...platform, "bridge/ports", "bridge/json", "bridge/providers"],
	},
	{
		name: "bridge/providers/script",
		files: /^bridge\/src\/providers\/script\//,
		mayImport: ["contracts", "platform/errors", "bridge/ports", "bridge/sandbox", "bridge/tools", "bridge/programs", "bridge/providers"],
	},
	{
		name: "bridge/providers/assistant",
		files: /^bridge\/src\/providers\/assistant\//,
		mayImport: ["contracts", "platform/errors", "bridge/ports", "bridge/sandbox", "bridge/tools", "bridge/programs", "bridge/providers"],
	},
	{
		name: "bridge/providers",
		files: /^bridge\/src\/providers\/(?:catalogue\/)?[^/]+\.(?:ts|json)$/,
		mayImport: ["contracts", "platform/errors", "bridge/ports"],
	},

	// The app: cli, server and ui call api, which the subjects implement; these reach the bridge through bridge-client, and core composes
	// them. Dependencies between subjects are limited only by the rule against circles.
	{ name: "app/errors", files: /^app\/src\/errors\//, mayImport: ["contracts", "platform/errors"] },
	{ name: "app/domain", files: /^app\/src\/threads\/domain\//, mayImport: ["contracts", "app/errors"] },
	{ name: "app/strings", files: /^app\/src\/strings\//, mayImport: ["contracts", "app/domain", "app/api"] },
	{ name: "app/text", files: /^app\/src\/text\//, mayImport: ["contracts", "app/strings", "app/domain"] },
	{ name: "app/config", files: /^app\/src\/config\//, mayImport: ["contracts", "app/errors", "platform"] },
	{ name: "app/bridge-client", files: /^app\/src\/bridge-client\//, mayImport: [...appGround, "platform"] },
	{ name: "app/process/bridge", files: /^app\/src\/process\/bridge\//, mayImport: [...appGround, "platform"] },
	{
		name: "app/subjects",
		files:
			/^app\/src\/(?:accounts|agents|back-up|plans|turns|threads|tools|composer|approvals|changes|doctor|edits|export|gateway-queue|files|receipts|run-log|settings|sync|workspace|store)\//,
		mayImport: [...appGround, "platform", "app/bridge-client", "app/process/bridge", "app/api"],
	},
	{
		name: "app/core",
		files: /^app\/src\/core\//,
		mayImport: [...appGround, "platform", "app/bridge-client", "app/process/bridge", "app/api", "app/subjects"],
	},
	{
		name: "app/api",
		files: /^app\/src\/api\//,
		mayImport: [...appGround, "platform", "app/config", "app/process/bridge"],
	},
	{ name: "app/server", files: /^app\/src\/server\//, mayImport: [...appGround, "platform", "app/config", "app/api", "app/subjects"] },
	{
		name: "app/process",
		files: /^app\/src\/process\//,
		mayImport: [...appGround, "platform", "app/config", "app/process/bridge", "app/subjects", "app/core", "app/api", "app/server"],
	},
	{
		name: "app/cli",
		files: /^app\/src\/(?:cli\/|(?:main|installed)\.ts$)/,
		mayImport: [
			...appGround,
			"platform",
			"app/config",
			"app/bridge-client",
			"app/process/bridge",
			"app/subjects",
			"app/api",
			"app/process",
		],
	},
	{
		name: "app/ui",
		files: /^app\/(?:src\/ui\/|vite\.config\.ts$)/,
		mayImport: [...appGround, "app/process/bridge", "app/subjects", "app/api"],
	},
	{ name: "openclaw-plugins", files: /^openclaw-plugins\/src\//, mayImport: ["contracts", ...platform] },
	{
		name: "openclaw-plugins/test",
		files: /^openclaw-plugins\/(?:test\/|rolldown\.config\.ts$)/,
		mayImport: ["contracts", "openclaw-plugins", ...platform],
	},
	{ name: "contracts/test", files: /^contracts\/test\//, mayImport: ["contracts"] },
	// A channel is tried against the server that the whole system is tried against.
	{
		name: "bridge/test",
		files: /^bridge\/test\//,
		mayImport: ["contracts", ...platform, "bridge/main", "bridge/server", ...bridgeParts, "e2e"],
	},
	{ name: "app/test", files: /^app\/test\//, mayImport: ["contracts", ...platform, ...appParts] },
	// Tools as a user would write them.
	{ name: "examples", files: /^examples\/tools\//, mayImport: ["tool-sdk"] },
	{ name: "examples/test", files: /^examples\/test\//, mayImport: ["tool-sdk", "examples", "e2e"] },
	// It tests the wire, so it shares no code with the implementations.
	{ name: "e2e", files: /^e2e\//, mayImport: [] },
	{
		name: "bench",
		files: /^bench\//,
		mayImport: ["contracts", "platform/async", "bridge/main", "bridge/server", ...bridgeParts, ...appParts, "e2e"],
	},
	{ name: "scripts", files: /^(?:scripts\/|vitest\.config\.ts$)/, mayImport: ["contracts", "platform", "e2e"] },
];

/** Imports the files of the home's integrations, in a process of their own. */
const TOOL_LOADER = "bridge/src/tools/host/source-modules.ts";

/** The layer that contains a file, or undefined. */
export function layerOf(path: string): string | undefined {
	return layers.find(({ files }) => files.test(path))?.name;
}

/** The layers of production code and the layers that each may import, by name. */
export function importRules(): readonly Pick<Layer, "name" | "mayImport">[] {
	return layers.filter(({ name }) => !/(?:^|\/)(?:test|e2e|bench|scripts)$/.test(name));
}

/** Messages about imports that break the rules, and about files that belong to no layer. */
export function wrongArrows(files: readonly SourceFile[]): string[] {
	return files.flatMap((file) => {
		const layer = layers.find((candidate) => candidate.files.test(file.path));
		if (layer === undefined) return [`${file.path} belongs to no layer of scripts/house/import-arrows.ts`];
		return importedModules(file).flatMap((module) => {
			const problem = arrowProblem(file.path, layer, module);
			return problem === undefined ? [] : [`${file.path}: ${problem}`];
		});
	});
}

function arrowProblem(path: string, layer: Layer, module: string): string | undefined {
	if (module === "*") return path === TOOL_LOADER ? undefined : "imports a module whose name is computed";
	const target = targetPath(path, module);
	if (target === undefined) return module.startsWith("@xworkmate/") ? `imports ${module}, which is no export of a package` : undefined;
	const targetLayer = layerOf(target);
	if (targetLayer === undefined) return `imports ${target}, which belongs to no layer`;
	if (targetLayer === layer.name) return undefined;
	return layer.mayImport.includes(targetLayer) ? undefined : `${layer.name} may not import ${targetLayer} (${target})`;
}

/** The repository path of an import, or undefined for a module from outside. */
function targetPath(path: string, module: string): string | undefined {
	if (!module.startsWith(".")) return packages[module];
	return posix.normalize(posix.join(posix.dirname(path), module));
}
