import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { IntegrationId, type Sha256, type ToolProblem } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import type { Logger } from "pino";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { ToolCatalogue } from "../../ports/tools/tool-hosts.ts";
import type { ToolAcceptance, ToolStore } from "../../ports/tools/tool-store.ts";
import { catalogueOf } from "./catalogue.ts";
import type { HostPool } from "./host-pool.ts";
import { readSources, type Sources } from "./read-sources.ts";
import { type SourceFile, sourcesHashOf, type ToolVersion } from "./tool-version.ts";
import { isComplete, type VersionStore } from "./version-store.ts";

export interface IntegrationsOptions {
	/** `XWORKMATE_HOME/tools`. */
	readonly folder: string;
	readonly pool: HostPool;
	readonly versions: VersionStore;
	readonly store: ToolStore;
	readonly clock: Clock;
	readonly log: Pick<Logger, "warn" | "error">;
	/** Called when the list may have changed. */
	readonly changed: () => void;
	/** True: accepts whatever loads (XWORKMATE_TOOLS_ACCEPT=auto). */
	readonly acceptsAll: boolean;
}

/** The current state of one integration. */
export interface IntegrationNow {
	readonly integration: IntegrationId;
	/** The version whose tools are used. Absent: none has ever loaded. */
	readonly version?: ToolVersion;
	/** Problems of the newest sources. If there are any, the version is an earlier one. */
	readonly problems: readonly ToolProblem[];
	/** The hash of the sources that have the problems. */
	readonly failed?: Sha256;
}

/** A home has few integrations; a folder with more than this is a mistake. */
const MAX_INTEGRATIONS = 100;

/** Reads, loads and accepts the integrations of a home. A reload accepts code only if `acceptsAll` is set. */
export class Integrations {
	readonly #options: IntegrationsOptions;
	readonly #accepted = new Map<IntegrationId, ToolAcceptance>();
	#known: ReadonlyMap<IntegrationId, IntegrationNow> = new Map();
	#catalogue: ToolCatalogue = catalogueOf(new Map());
	/** Settles when the latest reload ends. Each reload starts after the previous one has ended. */
	#reloading: Promise<void> = Promise.resolve();
	/** The folders that the last reload read, to be watched. */
	folders: readonly string[] = [];
	/** False until the first reload has ended. Until then, the catalogue is empty or incomplete. */
	#wereRead = false;

	constructor(options: IntegrationsOptions) {
		this.#options = options;
	}

	/**
	 * Reads the acceptances, then the folders.
	 * @throws errors of the store
	 */
	open(): Promise<void> {
		return this.#inTurn(async () => {
			for (const acceptance of await this.#options.store.acceptances()) this.#accepted.set(acceptance.integration, acceptance);
			await this.#reload(false);
		});
	}

	/** Settles when the current reload is over. */
	settled(): Promise<void> {
		return this.#reloading;
	}

	/** The catalogue of what is loaded now. */
	get now(): ToolCatalogue {
		return this.#catalogue;
	}

	get wereRead(): boolean {
		return this.#wereRead;
	}

	list(): readonly IntegrationNow[] {
		return [...this.#known.values()];
	}

	find(integration: IntegrationId): IntegrationNow | undefined {
		return this.#known.get(integration);
	}

	acceptanceOf(integration: IntegrationId): ToolAcceptance | undefined {
		return this.#accepted.get(integration);
	}

	isAccepted(version: ToolVersion): boolean {
		return this.#accepted.get(version.integration)?.toolHash === version.toolHash;
	}

	/**
	 * Reads the folders again.
	 * @param again also retries sources that failed before
	 */
	reload(again: boolean): Promise<void> {
		return this.#inTurn(() => this.#reload(again));
	}

	/** Records that this version's tools may be used under their own rules. The record is on disk when the promise resolves. */
	async accept({ integration, toolHash }: Pick<ToolVersion, "integration" | "toolHash">, by: string): Promise<void> {
		const acceptance = { integration, toolHash, by, at: timestamp(this.#options.clock.now()) };
		await this.#options.store.accept(acceptance);
		this.#accepted.set(integration, acceptance);
		this.#publish(this.#known);
	}

	#inTurn(work: () => Promise<void>): Promise<void> {
		const next = this.#reloading.then(work);
		this.#reloading = next.catch((error: unknown) => this.#options.log.error({ err: error }, "the tools could not be read"));
		return next;
	}

	async #reload(again: boolean): Promise<void> {
		const { folder, versions, pool } = this.#options;
		const found = await this.#readAll();
		this.folders = [folder, ...[...found.values()].flatMap((sources) => sources.folders)];
		const loaded: (readonly [IntegrationId, IntegrationNow])[] = [];
		const rest = [...found].entries();
		// Loads no more integrations at once than there may be processes. Otherwise, a load could time out while it waits for a process.
		const lane = async () => {
			for (const [index, [integration, sources]] of rest) loaded[index] = [integration, await this.#load(integration, sources, again)];
		};
		await Promise.all(Array.from({ length: pool.places }, lane));
		const known = new Map(loaded);
		if (this.#options.acceptsAll) {
			for (const { version } of known.values())
				if (version !== undefined && !this.isAccepted(version)) await this.accept(version, "configuration");
		}
		this.#wereRead = true;
		this.#publish(known);
		const needed = [...known.values()].flatMap(({ version }) => (version === undefined ? [] : [version.toolHash]));
		versions.prune(new Set([...needed, ...[...this.#accepted.values()].map(({ toolHash }) => toolHash)]));
	}

	#publish(known: ReadonlyMap<IntegrationId, IntegrationNow>): void {
		this.#known = known;
		const active = [...known.values()].flatMap(({ integration, version }) =>
			version === undefined ? [] : [[integration, { version, isAccepted: this.isAccepted(version) }] as const],
		);
		this.#catalogue = catalogueOf(new Map(active));
		this.#options.pool.retire(new Set(active.map(([, { version }]) => version.toolHash)));
		this.#options.changed();
	}

	async #load(integration: IntegrationId, sources: Sources, again: boolean): Promise<IntegrationNow> {
		const { versions, pool, log } = this.#options;
		const before = this.#known.get(integration);
		const good = before?.version ?? versions.lastGood(integration);
		const earlier = good === undefined ? {} : { version: good };
		if (sources.kind === "refused") return { integration, problems: [sources.problem], ...earlier };
		const hash = sourcesHashOf(integration, sources.files);
		if (before?.failed === hash && !again) return before;
		const stored = versions.ofSources(hash);
		// An older bridge stored less, so its version is loaded again: once automatically, and whenever the user asks for a reload.
		const isUsed = stored !== undefined && (isComplete(stored) || (stored === before?.version && !again));
		const opened = isUsed ? stored : await this.#loadNew(integration, sources.files, pool);
		if (Array.isArray(opened) && stored !== undefined) {
			log.warn({ integration, problems: opened }, "an integration could not be reloaded, so its stored version stays in use");
			// The problems are reported only if the user asked for a reload, because the version in use has the same sources.
			return { integration, version: stored, problems: again ? opened : [] };
		}
		if (Array.isArray(opened)) return { integration, problems: opened, failed: hash, ...earlier };
		try {
			versions.keep(opened);
		} catch (error) {
			// The version is used from memory. The bridge loads its files again at the next start.
			log.warn({ err: error, integration }, "a version of an integration could not be saved");
		}
		return { integration, version: opened, problems: [] };
	}

	async #loadNew(integration: IntegrationId, files: readonly SourceFile[], pool: HostPool): Promise<ToolVersion | ToolProblem[]> {
		const opened = await pool.open(integration, files);
		return opened.kind === "opened" ? opened.version : [...opened.problems];
	}

	async #readAll(): Promise<ReadonlyMap<IntegrationId, Sources>> {
		const { folder, log } = this.#options;
		const found = new Map<IntegrationId, Sources>();
		let seen = 0;
		const entries = await opendir(folder).catch((error: unknown) => {
			if (systemErrorCode(error) === "ENOENT") return undefined;
			throw error;
		});
		for await (const entry of entries ?? []) {
			seen += 1;
			if (seen > MAX_INTEGRATIONS * 10 || found.size >= MAX_INTEGRATIONS) {
				log.warn({ folder }, "the bridge does not read all integrations, because there are too many");
				break;
			}
			if (entry.name.startsWith(".") || entry.isFile()) continue;
			const integration = IntegrationId.safeParse(entry.name);
			if (integration.success) found.set(integration.data, await readSources(join(folder, entry.name)));
			else log.warn({ folder: entry.name.slice(0, 200) }, "a folder was skipped, because its name is not valid for an integration");
		}
		return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
	}
}
