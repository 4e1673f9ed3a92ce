import { posix } from "node:path";
import type { SourceFile } from "./source-file.ts";
import { importedModules } from "./syntax.ts";

interface Layer {
	readonly name: string;
	/** The files it holds; the first layer that matches a path has it. */
	readonly files: RegExp;
	/** Names of the layers it may import besides itself. */
	readonly mayImport: readonly string[];
}

/** What the core says and what it asks for, without how: types, and pure views of them. */
const bridgePorts = [
	"json/measure-json",
	"runs/clock",
	"runs/disk-full",
	"runs/session-update",
	"runs/run-workspace",
	"runs/select-expired",
	"runs/run-record",
	"runs/run-event",
	"runs/run-store",
	"runs/run-service",
	"runs/attempt-ledger",
	"sessions/session-store",
	"providers/provider",
	"processes/process-ledger",
	"artifacts/artifact-vault",
	"sandbox/sandbox",
	"sandbox/within",
	"sandbox/program-checker",
];

const bridgeParts = [
	"bridge/ports",
	"bridge/http",
	"bridge/rpc",
	"bridge/core",
	"bridge/routing",
	"bridge/artifacts",
	"bridge/store",
	"bridge/sandbox",
	"bridge/processes",
	"bridge/providers",
	"bridge/providers/acp",
	"bridge/providers/openclaw",
	"bridge/providers/script",
	"bridge/config",
];

/** The directions of imports: contracts <- everyone; in the bridge http -> rpc -> core -> ports; adapters are named by server.ts alone. */
const layers: readonly Layer[] = [
	{ name: "contracts", files: /^contracts\/src\//, mayImport: [] },
	// Walking a folder that somebody hostile may change meanwhile, and what of it counts: bridge and plugin do it by the same code.
	{ name: "scope-tree", files: /^scope-tree\/src\//, mayImport: ["contracts"] },
	{ name: "scope-tree/test", files: /^scope-tree\/test\//, mayImport: ["contracts", "scope-tree"] },
	{ name: "bridge/ports", files: new RegExp(`^bridge/src/(?:${bridgePorts.join("|")})\\.ts$`), mayImport: ["contracts"] },
	// The entry holds the home's lock, which is the store's.
	{
		name: "bridge/main",
		files: /^bridge\/src\/(?:main|log-destination|known-problem)\.ts$/,
		mayImport: ["contracts", "bridge/server", "bridge/config", "bridge/ports", "bridge/store"],
	},
	{
		name: "bridge/server",
		files: /^bridge\/src\/(?:server|count-ends|home-watch|wait-for-space)\.ts$/,
		mayImport: ["contracts", ...bridgeParts],
	},
	{ name: "bridge/config", files: /^bridge\/src\/config(?:\.ts$|\/)/, mayImport: ["contracts", "bridge/core"] },
	{ name: "bridge/http", files: /^bridge\/src\/http\//, mayImport: ["contracts", "bridge/ports", "bridge/rpc"] },
	{ name: "bridge/rpc", files: /^bridge\/src\/rpc\//, mayImport: ["contracts", "bridge/ports", "bridge/core", "bridge/routing"] },
	{
		name: "bridge/core",
		files: /^bridge\/src\/(?:runs|approvals|sessions|delivery|evidence)\//,
		mayImport: ["contracts", "bridge/ports", "bridge/routing"],
	},
	{ name: "bridge/routing", files: /^bridge\/src\/routing\//, mayImport: ["contracts", "bridge/ports"] },
	{ name: "bridge/artifacts", files: /^bridge\/src\/artifacts\//, mayImport: ["contracts", "scope-tree", "bridge/ports"] },
	// A group of processes that ends as one, and is known to the next bridge.
	{ name: "bridge/processes", files: /^bridge\/src\/processes\//, mayImport: ["bridge/ports"] },
	{ name: "bridge/sandbox", files: /^bridge\/src\/sandbox\//, mayImport: ["contracts", "bridge/ports", "bridge/processes"] },
	{ name: "bridge/store", files: /^bridge\/src\/store\//, mayImport: ["contracts", "bridge/ports"] },
	{
		name: "bridge/providers/acp",
		files: /^bridge\/src\/providers\/acp\//,
		mayImport: ["contracts", "bridge/ports", "bridge/processes", "bridge/providers"],
	},
	{
		name: "bridge/providers/openclaw",
		files: /^bridge\/src\/providers\/openclaw\//,
		mayImport: ["contracts", "bridge/ports", "bridge/providers"],
	},
	{
		name: "bridge/providers/script",
		files: /^bridge\/src\/providers\/script\//,
		mayImport: ["contracts", "bridge/ports", "bridge/providers"],
	},
	{ name: "bridge/providers", files: /^bridge\/src\/providers\/[^/]+\.ts$/, mayImport: ["contracts", "bridge/ports"] },
	{ name: "app", files: /^app\/(?:src\/|vite\.config\.ts$)/, mayImport: ["contracts"] },
	{ name: "openclaw-plugins", files: /^openclaw-plugins\/src\//, mayImport: ["contracts", "scope-tree"] },
	{
		name: "openclaw-plugins/test",
		files: /^openclaw-plugins\/(?:test\/|rolldown\.config\.ts$)/,
		mayImport: ["contracts", "openclaw-plugins"],
	},
	{ name: "contracts/test", files: /^contracts\/test\//, mayImport: ["contracts"] },
	{
		name: "bridge/test",
		files: /^bridge\/test\//,
		mayImport: ["contracts", "bridge/main", "bridge/server", ...bridgeParts],
	},
	{ name: "app/test", files: /^app\/test\//, mayImport: ["contracts", "app"] },
	// It proves the wire, so it shares no code with those who speak it.
	{ name: "e2e", files: /^e2e\//, mayImport: [] },
	{ name: "bench", files: /^bench\//, mayImport: ["contracts", "bridge/main", "bridge/server", ...bridgeParts, "app", "e2e"] },
	{ name: "scripts", files: /^(?:scripts\/|vitest\.config\.ts$)/, mayImport: ["contracts", "bridge/config", "e2e"] },
];

/** Workspace packages and the file that their name stands for. */
const packages: Readonly<Record<string, string>> = {
	"@xworkmate/contracts": "contracts/src/index.ts",
	"@xworkmate/contracts/artifact-glob": "contracts/src/artifact-glob.ts",
	"@xworkmate/contracts/artifact-path": "contracts/src/artifact-path.ts",
	"@xworkmate/scope-tree": "scope-tree/src/index.ts",
	"@xworkmate/bridge/main": "bridge/src/main.ts",
};

/** The layers of what ships, and which others each may import, by name. */
export function importRules(): readonly Pick<Layer, "name" | "mayImport">[] {
	return layers.filter(({ name }) => !/(?:^|\/)(?:test|e2e|bench|scripts)$/.test(name));
}

/** The layer that holds a file, or undefined when no layer does. */
export function layerOf(path: string): string | undefined {
	return layers.find(({ files }) => files.test(path))?.name;
}

/** Every import that points the wrong way, every file that belongs to no layer, in words. */
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

/** Ports that the layer table names and the repository does not have. */
export function missingPorts(files: readonly SourceFile[]): string[] {
	const paths = new Set(files.map(({ path }) => path));
	return bridgePorts.map((port) => `bridge/src/${port}.ts`).filter((path) => !paths.has(path));
}

function arrowProblem(path: string, layer: Layer, module: string): string | undefined {
	if (module === "*") return "imports a module whose name is computed";
	const target = targetPath(path, module);
	if (target === undefined) return module.startsWith("@xworkmate/") ? `imports ${module}, which is no export of a package` : undefined;
	const targetLayer = layerOf(target);
	if (targetLayer === undefined) return `imports ${target}, which belongs to no layer`;
	if (targetLayer === layer.name) return undefined;
	return layer.mayImport.includes(targetLayer) ? undefined : `${layer.name} may not import ${targetLayer} (${target})`;
}

/** The repository path of what is imported, or undefined for a module from elsewhere. */
function targetPath(path: string, module: string): string | undefined {
	if (!module.startsWith(".")) return packages[module];
	return posix.normalize(posix.join(posix.dirname(path), module));
}
