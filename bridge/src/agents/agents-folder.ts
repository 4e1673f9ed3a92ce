import { randomBytes } from "node:crypto";
import { constants, readdirSync, renameSync, rmSync } from "node:fs";
import { access, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { AgentVersion, ProviderId, Timestamp } from "@xworkmate/contracts";
import { errorMessage, ifAbsent, isGoneCode, systemErrorCode } from "@xworkmate/platform/errors";
import { makeFolder, readIfThere, syncDirectory, writeDurably } from "@xworkmate/platform/files";
import { z } from "zod";
import type { AgentProgram, InstalledPrograms } from "../ports/agents/managed-agent.ts";

const InstalledAgent = z.strictObject({
	version: AgentVersion,
	package: z.string().max(300),
	/** The package's integrity, as the registry reported it. */
	integrity: z.string().max(200),
	/** Relative to the version's folder. */
	program: z.string().min(1).max(1_000).refine(isInside, "must be a path inside the folder"),
	runtime: z.enum(["node", "itself"]),
	installedAt: Timestamp,
});
export type InstalledAgent = z.infer<typeof InstalledAgent>;

/** A folder in which a version is prepared; removed at the end unless it was published. */
export interface Staging extends AsyncDisposable {
	readonly path: string;
}

const POINTER = "current.json";
const STAGING = ".staging-";

/**
 * The agents that the bridge installed, in `<home>/agents/<id>/<version>/`. Next to the versions, `current.json` names the one in use. No
 * new turn uses any other version. Unless the agent is removed, other versions stay until the bridge's next start, because a running agent
 * may still need their files.
 */
export class AgentsFolder implements InstalledPrograms {
	readonly #root: string;
	readonly #installed = new Map<ProviderId, InstalledAgent>();
	readonly #warn: (message: string) => void;
	/** Names of the folders in which this bridge is preparing versions. */
	readonly #staged = new Set<string>();

	constructor(root: string, warn: (message: string) => void) {
		this.#root = root;
		this.#warn = warn;
		for (const agentId of this.#ids()) this.#read(agentId);
	}

	get(agentId: ProviderId): InstalledAgent | undefined {
		return this.#installed.get(agentId);
	}

	async find(agentId: ProviderId): Promise<AgentProgram | undefined> {
		const installed = this.#installed.get(agentId);
		if (installed === undefined) return undefined;
		const program = programOf(this.#versionFolder(agentId, installed.version), installed);
		return (await isThere(program)) ? program : undefined;
	}

	stage(agentId: ProviderId): Staging {
		const name = `${STAGING}${randomBytes(8).toString("hex")}`;
		const path = join(this.#root, agentId, name);
		this.#staged.add(name);
		makeFolder(path);
		return {
			path,
			[Symbol.asyncDispose]: async () => {
				await removeFolder(path);
				this.#staged.delete(name);
			},
		};
	}

	/**
	 * Puts a new version into use; the previous version keeps its files. If the power fails, either all of this has happened or none of it.
	 */
	publish(agentId: ProviderId, staging: Staging, installed: InstalledAgent): void {
		const folder = this.#versionFolder(agentId, installed.version);
		// A folder with this name is not in use: either an earlier bridge left it, or the program in it is gone.
		this.#setAside(folder);
		renameSync(staging.path, folder);
		syncDirectory(dirname(folder));
		writeDurably(join(this.#root, agentId, POINTER), `${JSON.stringify(installed, undefined, "\t")}\n`);
		this.#installed.set(agentId, installed);
	}

	/** Removes an agent with all of its versions. Returns whether there was anything to remove. */
	async remove(agentId: ProviderId): Promise<boolean> {
		const folder = join(this.#root, agentId);
		const wasThere = namesIn(folder).length > 0;
		rmSync(join(folder, POINTER), { force: true });
		this.#installed.delete(agentId);
		await removeFolder(folder);
		return wasThere;
	}

	/** Removes what an earlier bridge left: interrupted installations, and earlier versions. No agent may be running. */
	async sweep(): Promise<void> {
		for (const agentId of this.#ids()) {
			const folder = join(this.#root, agentId);
			const kept = (name: string) => name === POINTER || name === this.#installed.get(agentId)?.version || this.#staged.has(name);
			const left = namesIn(folder).filter((name) => !kept(name));
			await Promise.all(left.map((name) => removeFolder(join(folder, name)))).catch((error: unknown) =>
				this.#warn(`Files left in ${folder} by an earlier installation can't be removed: ${errorMessage(error)}`),
			);
		}
	}

	#setAside(folder: string): void {
		try {
			renameSync(folder, join(dirname(folder), `${STAGING}${randomBytes(8).toString("hex")}`));
		} catch (error) {
			ifAbsent(error);
		}
	}

	#read(agentId: ProviderId): void {
		const path = join(this.#root, agentId, POINTER);
		try {
			const text = readIfThere(path);
			if (text !== undefined) this.#installed.set(agentId, InstalledAgent.parse(JSON.parse(text)));
		} catch (error) {
			this.#warn(`${path} can't be used, so the agent is treated as not installed: ${errorMessage(error)}`);
		}
	}

	#ids(): readonly ProviderId[] {
		try {
			return namesIn(this.#root).flatMap((name) => ProviderId.safeParse(name).data ?? []);
		} catch (error) {
			this.#warn(
				`${this.#root} can't be read, so the agents that XWorkmate installed in it are treated as not installed: ${errorMessage(error)}`,
			);
			return [];
		}
	}

	#versionFolder(agentId: ProviderId, version: string): string {
		return join(this.#root, agentId, version);
	}
}

/** The program of a version that is in `folder`. */
export function programOf(folder: string, { program, runtime }: Pick<InstalledAgent, "program" | "runtime">): AgentProgram {
	const path = join(folder, program);
	// Agents start other programs with `node`, which a short PATH may not contain.
	const lastPath = dirname(process.execPath);
	return runtime === "node" ? { command: process.execPath, before: [path], lastPath } : { command: path, before: [], lastPath };
}

async function isThere({ command, before }: AgentProgram): Promise<boolean> {
	try {
		await access(before[0] ?? command, before.length === 0 ? constants.X_OK : constants.R_OK);
		return true;
	} catch {
		// Without its program, an agent is treated as not installed, whatever the cause.
		return false;
	}
}

function isInside(path: string): boolean {
	return !path.startsWith(sep) && !path.split(/[\\/]/).includes("..");
}

function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		// There is nothing at the path, or something other than a folder. Neither contains an agent.
		if (isGoneCode(systemErrorCode(error))) return [];
		throw error;
	}
}

function removeFolder(path: string): Promise<void> {
	// The removal is tried several times, because npm, or a script of a package, may still be writing.
	return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
