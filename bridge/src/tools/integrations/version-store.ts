import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { IntegrationId, Sha256 } from "@xworkmate/contracts";
import { writeDurably } from "@xworkmate/platform/files";
import { z } from "zod";
import { DeclaredTools } from "./parse-host-message.ts";
import { type ToolVersion, toolVersion } from "./tool-version.ts";

const Kept = z.strictObject({
	integration: IntegrationId,
	files: z.array(z.strictObject({ path: z.string(), text: z.string() })),
	tools: DeclaredTools,
	/** The order in which versions were loaded. An integration's highest number is its last good version. */
	loaded: z.int().min(0),
});
const FILE = "version.json";

/** Versions of integrations in `bridge/tools/<toolHash>/`: the sources that run, whatever happens to the files in the home. */
export class VersionStore {
	readonly #folder: string;
	readonly #versions = new Map<Sha256, { readonly version: ToolVersion; loaded: number }>();
	#last = 0;

	/** Reads the stored versions. One whose content does not match its hash is not used. */
	constructor(folder: string) {
		this.#folder = folder;
		for (const name of namesIn(folder)) {
			const hash = Sha256.safeParse(name);
			const kept = hash.success ? readVersion(join(folder, name, FILE)) : undefined;
			if (kept === undefined || kept.version.toolHash !== name) continue;
			this.#versions.set(kept.version.toolHash, kept);
			this.#last = Math.max(this.#last, kept.loaded);
		}
	}

	get(toolHash: Sha256): ToolVersion | undefined {
		return this.#versions.get(toolHash)?.version;
	}

	/** The version made from these sources: a complete one if there is one, otherwise the most recently loaded one. */
	ofSources(sourcesHash: Sha256): ToolVersion | undefined {
		const made = this.#latest((version) => version.sourcesHash === sourcesHash);
		return made.find(isComplete) ?? made[0];
	}

	/** The most recently loaded version of an integration. */
	lastGood(integration: IntegrationId): ToolVersion | undefined {
		return this.#latest((version) => version.integration === integration)[0];
	}

	/** The versions that `isWanted` accepts, most recently loaded first. */
	#latest(isWanted: (version: ToolVersion) => boolean): readonly ToolVersion[] {
		const wanted = [...this.#versions.values()].filter(({ version }) => isWanted(version));
		return wanted.sort((one, other) => other.loaded - one.loaded).map(({ version }) => version);
	}

	/** Stores a version as the last good one of its integration. It is on disk when this returns. */
	keep(version: ToolVersion): void {
		const { integration, files, tools, toolHash } = version;
		const known = this.#versions.get(toolHash);
		if (known?.version === version && version === this.lastGood(integration)) return;
		this.#last += 1;
		writeDurably(join(this.#folder, toolHash, FILE), JSON.stringify({ integration, files, tools, loaded: this.#last }));
		this.#versions.set(toolHash, { version, loaded: this.#last });
	}

	/** Removes versions that are not needed. */
	prune(needed: ReadonlySet<Sha256>): void {
		for (const toolHash of [...this.#versions.keys()].filter((hash) => !needed.has(hash))) {
			this.#versions.delete(toolHash);
			rmSync(join(this.#folder, toolHash), { recursive: true, force: true });
		}
	}
}

/** False for a version that an older bridge stored: it did not store whether a tool's code decides for each call. */
export function isComplete({ tools }: ToolVersion): boolean {
	return tools.every(({ codeDecides }) => codeDecides !== undefined);
}

function readVersion(path: string): { readonly version: ToolVersion; readonly loaded: number } | undefined {
	try {
		const { integration, files, tools, loaded } = Kept.parse(JSON.parse(readFileSync(path, "utf8")));
		return { version: toolVersion(integration, files, tools), loaded };
	} catch {
		// An earlier bridge did not finish writing the version, or it was changed by hand. Its sources are loaded again.
		return undefined;
	}
}

function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		// Nothing has been stored yet, or the folder cannot be read.
		return [];
	}
}
