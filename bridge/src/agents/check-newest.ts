import type { Unavailable } from "@xworkmate/contracts";
import { SpawnError } from "../processes/group/process-group.ts";
import type { NpmSource } from "../providers/catalogue/catalogue.ts";
import { BoundedTail } from "./bounded-tail.ts";
import type { InstallDeps } from "./install-agent.ts";
import { failure, failureOfSystem, InstallFailure, noNpm, npmFailure } from "./install-failure.ts";
import type { KnownAgent } from "./known-agent.ts";
import { findNpm, npmEnvironment } from "./npm-command.ts";
import { runNpm } from "./run-npm.ts";

/** The time limit for all agents together, because the caller is waiting. */
const CHECK_MS = 20_000;

const QUIET = ["--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--logs-max=0", "--loglevel=error"];
/** Each request is made only once, so that a user who is offline gets the error immediately. */
const ONCE = ["--fetch-retries=0", "--prefer-online"];
const VERSION = /^"(\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,40})?)"$/;

export interface CheckDeps extends InstallDeps {
	/** Called with the cause of a failure that has no message for the user. */
	readonly onFault: (error: unknown) => void;
}

/** Failures that would occur for the next agent as well. */
const ofRegistry: ReadonlySet<string> = new Set(["REGISTRY_UNREACHABLE", "REGISTRY_UNTRUSTED", "NPM_MISSING"]);

/**
 * Asks the npm registry for the newest version of each installed agent, and records the answer with the agent. This happens only when the
 * user asks, and installs nothing. Never rejects: if an agent can't be checked, the reason is recorded instead.
 */
export async function checkNewest(deps: CheckDeps, agents: readonly KnownAgent[], wholeMs = CHECK_MS): Promise<void> {
	const signal = AbortSignal.timeout(wholeMs);
	let stopped: Unavailable | undefined;
	for (const known of agents) {
		const { entry, managed } = known;
		const { npm: source } = entry;
		if (managed === undefined || source === undefined || deps.folder.get(entry.providerId) === undefined) continue;
		const found = stopped ?? (await newestOf(deps, known, signal).catch((error: unknown) => problemOf(error, source, deps.onFault)));
		known.newest = { at: deps.now(), ...(typeof found === "string" ? { version: found } : { problem: found }) };
		if (typeof found !== "string" && ofRegistry.has(found.code)) stopped = found;
	}
}

function problemOf(error: unknown, source: NpmSource, onFault: CheckDeps["onFault"]): Unavailable {
	const known = failureOfSystem(error, source);
	if (known !== undefined) return known.problem;
	onFault(error);
	const message = error instanceof SpawnError ? "npm couldn't be started." : "Something went wrong in the bridge.";
	return failure("CHECK_FAILED", message, "Try again. The bridge's log has the cause.").problem;
}

/** @throws SpawnError, an error of the ledger, or a system error of the folder that npm runs in */
async function newestOf(deps: InstallDeps, { entry }: KnownAgent, signal: AbortSignal): Promise<string | Unavailable> {
	const { environment, ledger, bounds, folder } = deps;
	const { npm: source, providerId } = entry;
	const npm = findNpm(environment);
	if (npm === undefined || source === undefined) return noNpm.problem;
	await using staging = folder.stage(providerId);
	const tail = new BoundedTail();
	let version: string | undefined;
	const onLine = (line: string) => {
		version ??= VERSION.exec(line)?.[1];
	};
	const args = ["view", source.name, "version", "--json", ...ONCE, ...QUIET, "--cache", staging.path];
	const run = {
		npm,
		args,
		folder: staging.path,
		environment: npmEnvironment(environment),
		label: `npm/${providerId}`,
		ledger,
		bounds,
		tail,
	};
	try {
		const end = await runNpm({ ...run, lastProgress: () => 0, onLine }, signal);
		if (end.kind === "ended" && end.code === 0 && version !== undefined) return version;
		// The log of a check is not shown.
		const fix = `To see why, run: npm view ${source.name} version`;
		return npmFailure(tail.text(), end.kind === "ended" ? end.code : null, source, fix).problem;
	} catch (error) {
		if (error instanceof InstallFailure) return error.problem;
		if (!signal.aborted) throw error;
		const message = "The npm registry did not respond in time.";
		return failure("REGISTRY_UNREACHABLE", message, "Check the connection and the proxy, then try again.").problem;
	}
}
