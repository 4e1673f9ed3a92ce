import { setTimeout as delay } from "node:timers/promises";
import {
	type Agent,
	type Agents,
	type AgentTest,
	ContractError,
	type FailedRun,
	type MethodParams,
	type MethodResult,
	type ProviderId,
	type Timestamp,
	type Unavailable,
} from "@xworkmate/contracts";
import type { AgentService } from "../ports/agents/agent-service.ts";
import { type CatalogueEntry, installFixOf } from "../providers/catalogue/catalogue.ts";
import { Job } from "./agent-job.ts";
import { checkNewest } from "./check-newest.ts";
import { type InstallDeps, installAgent } from "./install-agent.ts";
import { type KnownAgent, shownAgent, signInsOfAgent } from "./known-agent.ts";
import { checkedVariables, type KnownSignIn, loginCommand } from "./sign-in-methods.ts";
import type { VariablesFile } from "./variables-file.ts";

export interface AgentMethodsParts extends InstallDeps {
	readonly agents: readonly KnownAgent[];
	readonly variables: VariablesFile;
	/** The result of the last test of an agent in its current version. */
	lastTest(agentId: ProviderId): AgentTest | undefined;
	answeredAt(agentId: ProviderId): Timestamp | undefined;
	failedRun(agentId: ProviderId): FailedRun | undefined;
	/** Called when the last test no longer applies. */
	forgetTest(agentId: ProviderId): void;
	/** Whether providers.json defines an agent with this id. */
	isDefined(agentId: ProviderId): boolean;
	/** providers.json. */
	readonly providersPath: string;
	/** What is wrong with the catalogue in the home. */
	readonly problem: Unavailable | undefined;
	/** Tests a provider by starting it, and keeps the result. */
	testProvider(agentId: ProviderId): Promise<MethodResult<"xworkmate.providers.test">>;
	/** Called when the state of an agent has changed. */
	onChanged(): void;
	onFault(error: unknown): void;
}

const SIGN_IN_MS = 10 * 60_000;
const CANCELLED_MS = 10_000;

/**
 * The methods for agents. Installations and sign-ins continue after the call has been answered, and their progress is shown with the agent.
 */
export class AgentMethods implements AgentService {
	readonly #parts: AgentMethodsParts;
	/** Callers that ask while the check is running share its result. */
	#checking: Promise<void> | undefined;

	constructor(parts: AgentMethodsParts) {
		this.#parts = parts;
	}

	async list(): Promise<Agents> {
		const { agents, variables, problem } = this.#parts;
		const problems = [problem, variables.problem].filter((one) => one !== undefined);
		return { agents: await Promise.all(agents.map((known) => this.#shown(known))), problems };
	}

	install({ agentId }: MethodParams<"xworkmate.agents.install">): Promise<Agent> {
		return this.#begin("install", agentId);
	}

	update({ agentId }: MethodParams<"xworkmate.agents.update">): Promise<Agent> {
		return this.#begin("update", agentId);
	}

	async cancel({ agentId }: MethodParams<"xworkmate.agents.cancel">): Promise<MethodResult<"xworkmate.agents.cancel">> {
		const known = this.#known(agentId);
		const cancelled = isInstalling(known) || known.signingIn?.cancel !== undefined;
		known.job?.cancel();
		known.signingIn?.cancel?.();
		await Promise.race([known.doing, delay(CANCELLED_MS, undefined, { ref: false })]);
		return { ...(await this.#shown(known)), cancelled };
	}

	async remove({ agentId }: MethodParams<"xworkmate.agents.remove">): Promise<MethodResult<"xworkmate.agents.remove">> {
		const known = this.#known(agentId);
		refuseIfBusy(known);
		if (known.managed?.isWorking === true)
			throw new ContractError("AGENT_BUSY", {
				detail: `${known.entry.label} is working on a run.`,
				fix: "Wait until its runs have ended, or stop them.",
			});
		const wasStored = this.#parts.variables.forget(agentId);
		await known.managed?.endIdle();
		const wasInstalled = await this.#parts.folder.remove(agentId);
		known.job = undefined;
		known.newest = undefined;
		this.#parts.forgetTest(agentId);
		known.signingIn = undefined;
		this.#parts.onChanged();
		return { ...(await this.#shown(known)), removed: wasStored || wasInstalled };
	}

	async test({ agentId }: MethodParams<"xworkmate.agents.test">): Promise<Agent> {
		const known = this.#known(agentId);
		await this.#test(known);
		return this.#shown(known);
	}

	async check(): Promise<Agents> {
		this.#checking ??= checkNewest(this.#parts, this.#parts.agents).finally(() => {
			this.#checking = undefined;
		});
		await this.#checking;
		this.#parts.onChanged();
		return await this.list();
	}

	async signIn({ agentId, methodId, variables = {} }: MethodParams<"xworkmate.agents.signIn">): Promise<Agent> {
		const known = this.#known(agentId);
		const way = this.#way(known, methodId);
		refuseIfBusy(known);
		switch (way.kind) {
			case "variables": {
				const { variables: file } = this.#parts;
				file.set(agentId, checkedVariables(way, variables, file.of(agentId)));
				known.signingIn = undefined;
				// The test result no longer applies, and a running process keeps the variables that it was started with.
				this.#parts.forgetTest(agentId);
				await known.managed?.endIdle();
				break;
			}
			case "agent":
				this.#letSignIn(known, methodId);
				break;
			case "terminal":
				throw new ContractError("AGENT_REFUSED", {
					detail: `This sign-in method of ${known.entry.label} works only in a terminal.`,
					fix: `Run: ${loginCommand(agentId, methodId)}`,
				});
		}
		this.#parts.onChanged();
		return this.#shown(known);
	}

	async terminal({ agentId, methodId }: MethodParams<"xworkmate.agents.terminal">): Promise<MethodResult<"xworkmate.agents.terminal">> {
		const known = this.#known(agentId);
		const { kind, args = [], env = {} } = this.#way(known, methodId);
		const { entry, managed } = known;
		if (kind !== "terminal")
			throw new ContractError("AGENT_REFUSED", {
				detail: `${entry.label} doesn't offer this sign-in method in a terminal.`,
				fix: "Choose another sign-in method.",
			});
		const invocation = await managed?.invocation();
		if (invocation === undefined) {
			const fix = entry.npm === undefined ? installFixOf(entry) : `Install it: npm run -s xworkmate -- agents install ${agentId}`;
			throw new ContractError("AGENT_REFUSED", { detail: `${entry.label} is not installed.`, fix });
		}
		return { command: invocation.command, args: [...invocation.args, ...args], env: { ...invocation.env, ...env } };
	}

	/** Ends the operations that are under way. */
	async close(): Promise<void> {
		const { agents } = this.#parts;
		for (const { job, signingIn } of agents) {
			job?.cancel();
			signingIn?.cancel?.();
		}
		await Promise.all(agents.map(({ doing }) => doing));
	}

	async #begin(kind: "install" | "update", agentId: ProviderId): Promise<Agent> {
		const known = this.#known(agentId);
		if (isInstalling(known)) return this.#shown(known);
		refuseIfBusy(known);
		const { entry, managed } = known;
		const source = installable(known);
		const { folder } = this.#parts;
		const installed = (await folder.find(agentId)) === undefined ? undefined : folder.get(agentId);
		if (kind === "update" && installed === undefined)
			throw new ContractError("AGENT_REFUSED", {
				detail: `XWorkmate hasn't installed ${entry.label}, so there is nothing to update.`,
				fix: `Install it: npm run -s xworkmate -- agents install ${agentId}`,
			});
		// An installed agent is replaced only when the user asks for an update.
		if (installed !== undefined && (kind === "install" || installed.version === source.version)) return this.#shown(known);
		// Another call may have begun an installation in the meantime.
		if (isInstalling(known) || managed === undefined) return this.#shown(known);
		const { bounds, now, onChanged, onFault } = this.#parts;
		const job = new Job({ kind, source, wholeMs: bounds.wholeMs, now, onChanged, onFault });
		known.job = job;
		known.doing = this.#do(known, async () => {
			const done = await job.run((signal) => installAgent(this.#parts, { agent: managed, entry, source }, job.tail, job, signal));
			if (!done) return;
			known.job = undefined;
			this.#parts.forgetTest(agentId);
			await managed.endIdle();
			await this.#test(known);
		});
		onChanged();
		return this.#shown(known);
	}

	#letSignIn(known: KnownAgent, methodId: string): void {
		const { managed } = known;
		if (managed === undefined) return;
		const cancel = new AbortController();
		const begun = { methodId, startedAt: this.#parts.now() };
		known.signingIn = { ...begun, cancel: () => cancel.abort() };
		const tooLong = AbortSignal.timeout(SIGN_IN_MS);
		known.doing = this.#do(known, async () => {
			const problem = await managed.authenticate(methodId, AbortSignal.any([cancel.signal, tooLong]));
			known.signingIn = undefined;
			if (cancel.signal.aborted) return;
			const failure = tooLong.aborted ? endless(known.entry) : problem;
			if (failure !== undefined) known.signingIn = { ...begun, endedAt: this.#parts.now(), problem: failure };
			else {
				// Until the new test has ended, the agent counts as untested, because the last test was made before the sign-in.
				this.#parts.forgetTest(known.entry.providerId);
				await managed.endIdle();
				await this.#test(known);
			}
		});
	}

	/** Runs an operation on an agent to its end. Never rejects. */
	async #do(known: KnownAgent, work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			known.signingIn = undefined;
			this.#parts.onFault(error);
		} finally {
			known.doing = undefined;
			this.#parts.onChanged();
		}
	}

	async #test(known: KnownAgent): Promise<void> {
		await this.#parts.testProvider(known.entry.providerId);
		this.#parts.onChanged();
	}

	#known(agentId: ProviderId): KnownAgent {
		const known = this.#parts.agents.find(({ entry }) => entry.providerId === agentId);
		if (known !== undefined) return known;
		const { isDefined, providersPath } = this.#parts;
		if (!isDefined(agentId)) throw new ContractError("AGENT_NOT_FOUND", { detail: `There is no agent ${agentId} in the catalogue.` });
		throw new ContractError("AGENT_REFUSED", {
			detail: `${agentId} is your own agent from providers.json, so XWorkmate neither installs it nor stores anything for it.`,
			fix: `To change or remove it, edit ${providersPath} and restart the bridge.`,
		});
	}

	#way(known: KnownAgent, methodId: string): KnownSignIn {
		const way = signInsOfAgent(known, this.#parts.variables).find(({ id }) => id === methodId);
		if (way !== undefined) return way;
		throw new ContractError("AGENT_NOT_FOUND", {
			detail: `${known.entry.label} has no sign-in method with that name, or has not been started yet.`,
			fix: `Test the agent first: npm run -s xworkmate -- agents test ${known.entry.providerId}`,
		});
	}

	#shown(known: KnownAgent): Promise<Agent> {
		return shownAgent(known, this.#parts);
	}
}

function isInstalling({ job }: KnownAgent): boolean {
	return job?.isRunning === true;
}

function refuseIfBusy(known: KnownAgent): void {
	const { entry, doing } = known;
	if (doing === undefined) return;
	const detail = isInstalling(known)
		? `${entry.label} is being installed or updated.`
		: `A sign-in to ${entry.label}, or a test of it, is in progress.`;
	throw new ContractError("AGENT_BUSY", { detail });
}

function installable({ entry, managed }: KnownAgent) {
	if (managed === undefined)
		throw new ContractError("AGENT_REFUSED", {
			detail: `XWorkmate can't manage ${entry.providerId}, because providers.json already defines an agent with that id.`,
			fix: "Keep using that agent, or remove it from providers.json and restart the bridge.",
		});
	if (entry.npm === undefined)
		throw new ContractError("AGENT_REFUSED", {
			detail: `${entry.label} is not an npm package, so XWorkmate can't install it.`,
			fix: installFixOf(entry),
		});
	return entry.npm;
}

function endless({ label }: CatalogueEntry): Unavailable {
	const message = `The sign-in to ${label} was not finished within ${SIGN_IN_MS / 60_000} min.`;
	return { code: "SIGN_IN_TIMED_OUT", message, fix: "Try again, or choose another sign-in method." };
}
