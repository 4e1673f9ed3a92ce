import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentStage, ProviderId } from "@xworkmate/contracts";
import type { ManagedAgent } from "../ports/agents/managed-agent.ts";
import type { ProcessLedger } from "../ports/agents/process-ledger.ts";
import type { CatalogueEntry, NpmSource } from "../providers/catalogue/catalogue.ts";
import { type AgentsFolder, type InstalledAgent, programOf } from "./agents-folder.ts";
import type { BoundedTail } from "./bounded-tail.ts";
import { type CheckedLock, checkInstalled, checkLock } from "./check-lock.ts";
import { findProgram } from "./find-program.ts";
import { failure, noNpm, npmFailure } from "./install-failure.ts";
import { measureFolder } from "./measure-folder.ts";
import { findNpm, npmEnvironment, type Variables } from "./npm-command.ts";
import { type NpmBounds, runNpm } from "./run-npm.ts";

export interface InstallDeps {
	readonly folder: AgentsFolder;
	readonly environment: Variables;
	readonly ledger: ProcessLedger;
	readonly bounds: NpmBounds;
	/** The current time, in RFC 3339. */
	readonly now: () => string;
}

export interface InstallProgress {
	stage(stage: AgentStage): void;
	packages(done: number, total: number): void;
	bytes(bytes: number): void;
}

/** Shorter pauses than npm's own, which are 10 seconds before its first retry of a request, and 60 before its second. */
const PATIENCE = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
/** Overrides what the user's own npm settings may say. */
const FIXED = [
	...["--package-lock=true", "--omit-lockfile-registry-resolved=false", "--global=false", "--dry-run=false"],
	...["--omit=dev", "--include=optional", "--install-strategy=hoisted"],
];
const QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--logs-max=0", ...PATIENCE, ...FIXED];
const CACHE = ".npm-cache";
const MEASURE_EVERY_MS = 1_500;
const PROBE_MS = 60_000;
const FETCHED = /^npm http fetch GET 200 \S+\.tgz\b/;

/**
 * Installs the catalogue's version of an agent, checks that it answers `initialize`, and then puts it into use. Until then, nothing outside
 * a staging folder is changed, and if the installation fails, that folder is removed.
 * @throws InstallFailure; SpawnError, or the ledger's error, if npm cannot be started; a system error, such as that of a full disk; the
 * error of a package manifest that cannot be parsed; the signal's reason if it is aborted
 */
export async function installAgent(
	deps: InstallDeps,
	{ agent, entry, source }: { readonly agent: ManagedAgent; readonly entry: CatalogueEntry; readonly source: NpmSource },
	tail: BoundedTail,
	progress: InstallProgress,
	signal: AbortSignal,
): Promise<void> {
	const { folder } = deps;
	await using staging = folder.stage(agent.providerId);
	const npm = new StagedNpm(deps, agent.providerId, source, staging.path, tail, signal);
	progress.stage("resolving");
	const lock = await npm.resolve();
	progress.stage("downloading");
	await npm.download(lock, progress);
	if (source.needsScripts) {
		progress.stage("scripts");
		await npm.runScripts();
	}
	const program = findProgram(staging.path, source.name, entry.command);
	if (program === undefined)
		throw failure("NO_PROGRAM", `The package ${source.name} has no program that can be started.`, "Correct the package in agents.json.");
	progress.stage("starting");
	await rm(join(staging.path, CACHE), { recursive: true, force: true });
	const { path, runtime } = program;
	const parts = { program: path, runtime };
	const probed = await agent.probe(programOf(staging.path, parts), AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]));
	signal.throwIfAborted();
	if ("problem" in probed)
		throw failure(
			"AGENT_NOT_STARTED",
			`Version ${source.version} was downloaded, but it doesn't start, so it was removed. ${probed.problem.message}`,
			"Try again, or choose another version in agents.json.",
		);
	const installed: InstalledAgent = {
		version: source.version,
		package: source.name,
		integrity: lock.integrity,
		...parts,
		installedAt: deps.now(),
	};
	folder.publish(agent.providerId, staging, installed);
}

/** The npm commands that fill one staging folder. */
class StagedNpm {
	readonly #deps: InstallDeps;
	readonly #agentId: ProviderId;
	readonly #source: NpmSource;
	readonly #folder: string;
	readonly #tail: BoundedTail;
	readonly #signal: AbortSignal;
	#grewAt = 0;
	/** The list of packages that passed the check. */
	#checked = "";
	#onLine: (line: string) => void = () => {};

	constructor(deps: InstallDeps, agentId: ProviderId, source: NpmSource, folder: string, tail: BoundedTail, signal: AbortSignal) {
		this.#deps = deps;
		this.#agentId = agentId;
		this.#source = source;
		this.#folder = folder;
		this.#tail = tail;
		this.#signal = signal;
	}

	/** Lets npm decide what to install, and checks the list before anything on it is fetched. */
	async resolve(): Promise<CheckedLock> {
		const { name, version } = this.#source;
		const manifest = { name: "xworkmate-agent", private: true, dependencies: { [name]: version } };
		await writeFile(join(this.#folder, "package.json"), `${JSON.stringify(manifest, undefined, "\t")}\n`);
		await this.#npm("install", "--package-lock-only", "--ignore-scripts", "--loglevel=error");
		this.#checked = await readFile(join(this.#folder, "package-lock.json"), "utf8");
		const checked = checkLock(this.#checked, this.#source);
		if (typeof checked === "string")
			throw failure(
				"INTEGRITY",
				`${checked} Nothing was installed.`,
				"Try again. If this continues, don't install this agent from this registry.",
			);
		return checked;
	}

	/** Fetches exactly the packages that were checked: npm refuses bytes with another hash. */
	async download({ packages }: CheckedLock, progress: InstallProgress): Promise<void> {
		let done = 0;
		progress.packages(done, packages);
		this.#onLine = (line) => {
			if (FETCHED.test(line) && done < packages) progress.packages(++done, packages);
		};
		let bytes = 0;
		const measure = async () => {
			const now = await measureFolder(this.#folder);
			if (now > bytes) this.#grewAt = Date.now();
			bytes = now;
			progress.bytes(bytes);
		};
		let measuring = Promise.resolve();
		const timer = setInterval(() => {
			measuring = measuring.then(measure);
		}, MEASURE_EVERY_MS);
		try {
			// Not `npm ci`, which requires the packages of other platforms to be listed, although npm itself leaves them out.
			await this.#npm("install", "--ignore-scripts", "--loglevel=http");
			await this.#expectChecked();
			progress.packages(packages, packages);
		} finally {
			clearInterval(timer);
			await measuring;
		}
	}

	async #expectChecked(): Promise<void> {
		const problem = checkInstalled(await readFile(join(this.#folder, "node_modules", ".package-lock.json"), "utf8"), this.#checked);
		if (problem !== undefined) throw failure("INTEGRITY", `${problem} The download was removed, and none of it was run.`, "Try again.");
	}

	/** Runs the lifecycle scripts of the agent's own package only. */
	async runScripts(): Promise<void> {
		await this.#npm("rebuild", this.#source.name, "--ignore-scripts=false", "--foreground-scripts", "--loglevel=error");
	}

	async #npm(...args: readonly string[]): Promise<void> {
		const { environment, ledger, bounds } = this.#deps;
		const npm = findNpm(environment);
		if (npm === undefined) throw noNpm;
		const own = npmEnvironment(environment);
		const end = await runNpm(
			{
				npm,
				args: [...args, ...QUIET, "--cache", join(this.#folder, CACHE)],
				folder: this.#folder,
				environment: own,
				label: `npm/${this.#agentId}`,
				ledger,
				bounds,
				tail: this.#tail,
				lastProgress: () => this.#grewAt,
				onLine: (line) => this.#onLine(line),
			},
			this.#signal,
		);
		if (end.kind === "silent") {
			const message = `npm made no progress for ${Math.round(bounds.silentMs / 60_000)} min, so it was stopped.`;
			throw failure("NPM_SILENT", message, "Check the connection, then try again.");
		}
		if (end.kind === "flooding")
			throw failure(
				"NPM_FLOODING",
				"npm, or a script in the package, produced far more output than usual, so it was stopped.",
				"Don't install this version.",
			);
		if (end.code !== 0) throw npmFailure(this.#tail.text(), end.code, this.#source);
	}
}
