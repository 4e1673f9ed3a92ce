import { ModelProvider, omitUndefined, ProviderId, type Unavailable } from "@xworkmate/contracts";
import type { Parked, Provider, ProviderTurn, TurnSink } from "../../ports/agents/provider.ts";
import type { Accounts, NoAccount, Rotation, RunAccounts } from "../../ports/models/accounts.ts";
import type { ModelClient } from "../../ports/models/model-client.ts";
import type { ProgramLog } from "../../ports/programs/program-log.ts";
import type { ProviderOutcome, ProviderUpdate } from "../../ports/runs/run-event.ts";
import type { HostsOfTurn, TurnWords } from "../../ports/tools/turn-hosts.ts";
import { ResumeMismatch } from "../../programs/resume-mismatch.ts";
import { RunHistory } from "../../programs/run-history.ts";
import { RunningTurns } from "../../programs/running-turns.ts";
import { UpdateQueue } from "../update-queue.ts";
import { type AssistantLimits, defaultAssistantLimits } from "./turn/assistant-limits.ts";
import { AssistantTurn } from "./turn/assistant-turn.ts";
import { type AskFailure, ModelAsker } from "./turn/model-asker.ts";
import { ProgramRunner, type ProgramRunnerDeps } from "./turn/program-runner.ts";

const MAX_BACKLOG = 64;

export interface AssistantProviderDeps extends Omit<ProgramRunnerDeps, "limits"> {
	readonly accounts: Accounts;
	readonly clients: ReadonlyMap<ModelProvider, ModelClient>;
	/** The model to use if none is named. Default: the first that the server offers. */
	readonly defaultModels: Partial<Readonly<Record<ModelProvider, string>>>;
	/** The models that a turn can name, as `<provider>/<model>`. Resolves without waiting for a server, because every availability check calls it. */
	readonly offered: () => Promise<readonly string[]>;
	readonly limits?: Partial<AssistantLimits>;
	/** Adds tools that depend on what the user said in the turn. Absent: there are none. */
	readonly hostsOfTurn?: HostsOfTurn;
}

/** What is said in a turn does not change which tools it has. */
const noWords: TurnWords = { prompt: "", earlier: [], saidAt: 0, wasShown: () => false };

const noAccountYet: Unavailable = {
	code: "PROVIDER_AUTH_REQUIRED",
	message: "The assistant has no account yet.",
	fix: "Run `npm run -s xworkmate -- auth anthropic setup-token`, or set ANTHROPIC_API_KEY or OPENAI_BASE_URL and start XWorkmate again.",
};

/**
 * The bridge's own agent: a model that acts only through typed tools, and whose answers are checked against the receipts. The steps of its
 * turns are recorded, so its turns outlive the bridge.
 */
export function createAssistantProvider(deps: AssistantProviderDeps): Provider {
	const limits = { ...defaultAssistantLimits, ...deps.limits };
	const running = new RunningTurns();
	return {
		providerId: ProviderId.parse("assistant"),
		label: "Assistant",
		own: "agent",
		target: "agent",
		handsOver: true,
		durable: "always",
		readsConversation: true,
		features: { approvals: true, followUp: true, resume: true, attachments: false, deliverable: "structured" },
		toolCatalogue: () => (deps.hostsOfTurn?.(deps.hosts, noWords) ?? deps.hosts).catalogue(),
		async availability() {
			const problem = await deps.accounts.problem();
			if (problem !== undefined) return { available: false, unavailable: problem };
			const providers = await deps.accounts.providers();
			if (providers.length === 0) return { available: false, unavailable: noAccountYet };
			const models = (await deps.offered()).filter((model) => providers.some((provider) => model.startsWith(`${provider}/`)));
			return { available: true, ...(models.length === 0 ? {} : { models }) };
		},
		runTurn: (turn, sink, stop) => running.run(stop, (stopped) => runAssistantTurn({ ...deps, limits }, turn, sink, stopped)),
		async releaseSession() {
			// Nothing to release: a turn leaves only the thread's own record for the next one.
		},
		close: () => running.close(),
	};
}

type Deps = AssistantProviderDeps & { readonly limits: AssistantLimits };

/** Rejects only if the run's log or its directory cannot be used. */
async function runAssistantTurn(deps: Deps, turn: ProviderTurn, sink: TurnSink, stop: AbortSignal): Promise<ProviderOutcome | Parked> {
	const { program } = sink;
	if (program === undefined) throw new Error("the assistant's turn has no record");
	try {
		using history = await RunHistory.read(program);
		if (stop.aborted) return { kind: "cancelled", remote: false };
		const chosen = await choose(deps, turn, program, stop).catch((error: unknown) => {
			// The turn was stopped while the server was asked for a model's name.
			if (stop.aborted) return undefined;
			throw error;
		});
		if (chosen === undefined) return { kind: "cancelled", remote: false };
		if ("code" in chosen) return { kind: "failed", ...chosen };
		await sink.handOver();
		const { client, accounts, model } = chosen;
		const updates = new UpdateQueue(sink, MAX_BACKLOG);
		const failure = new AbortController();
		void updates.failed.then(() => failure.abort());
		const signal = AbortSignal.any([stop, failure.signal]);
		let isParked = false;
		const show = async (update: ProviderUpdate) => {
			const rest = history === undefined ? update : history.said.rest(update);
			// Once a program is parked, updates from its calls are not shown until it continues.
			if (rest === undefined || isParked) return;
			updates.push(rest);
			await updates.ready();
		};
		const asker = new ModelAsker(client, accounts, (rotation) => noteRotation(program, rotation));
		const hosts = deps.hostsOfTurn?.(deps.hosts, wordsOf(turn, program)) ?? deps.hosts;
		const runner = new ProgramRunner({ ...deps, hosts }, { turn, sink, program, history, show, stop: signal });
		const { clock, limits } = deps;
		const rest = { updates, show, limits, stop: signal, now: () => clock.now(), catalogue: () => hosts.catalogue() };
		const outcome = await new AssistantTurn({ turn, program, history, asker, runner, model, ...rest }).run();
		isParked = outcome.kind === "parked";
		await updates.drained();
		return outcome;
	} catch (error) {
		if (error instanceof ResumeMismatch) return { kind: "failed", code: "RESUME_MISMATCH", message: error.message };
		throw error;
	}
}

function wordsOf({ prompt, conversation = [] }: ProviderTurn, program: ProgramLog): TurnWords {
	return {
		prompt,
		earlier: conversation.map((earlier) => earlier.prompt),
		saidAt: Date.parse(program.record.createdAt),
		...omitUndefined({ origin: program.record.origin }),
		wasShown: (toolCallId, words) => program.standing(toolCallId)?.requested.words === program.redaction.text(words),
	};
}

/** Records a change of account before the next request. */
function noteRotation(program: ProgramLog, { from, to, reason, cause }: Rotation): void {
	const detail = { from, to: to.profileId, reason: reason.slice(0, 200), cause };
	program.write([], [{ type: "auth.profile.rotated", origin: "executed", detail }]);
}

interface Chosen {
	readonly client: ModelClient;
	readonly accounts: RunAccounts;
	readonly model: string;
}

/** Chooses the model and the accounts of this turn, once. */
async function choose(deps: Deps, turn: ProviderTurn, program: ProgramLog, stop: AbortSignal): Promise<Chosen | AskFailure> {
	const named = namedModel(turn.model);
	if (turn.model !== undefined && named === undefined) {
		return {
			code: "PROVIDER_ERROR",
			message: `The assistant can't tell which model ${JSON.stringify(turn.model)} is. Use the form anthropic/<model> or openai/<model>.`,
			isRequest: true,
		};
	}
	const pinned = ModelProvider.safeParse(turn.account?.split(":")[0]).data;
	if (named !== undefined && pinned !== undefined && named.provider !== pinned) {
		const message = `The account ${turn.account} can't be used with the model ${turn.model}.`;
		return { code: "PROVIDER_ERROR", message, isRequest: true };
	}
	const providers = await deps.accounts.providers();
	const provider = named?.provider ?? pinned ?? providers[0];
	// If another maker has an account, only this turn's choice of maker fails, and the assistant works for other requests.
	const isOther = providers.length > 0 && !providers.some((usable) => usable === provider);
	const because = isOther ? ({ isRequest: true } as const) : {};
	const client = provider && deps.clients.get(provider);
	if (provider === undefined || client === undefined) {
		return { code: "PROVIDER_AUTH_REQUIRED", message: `${noAccountYet.message} ${noAccountYet.fix}`, ...because };
	}
	const open = (model: string) => deps.accounts.open(provider, model, turn.account);
	// If the turn names an account, the known models are not used, because the account may offer others.
	const known = turn.account === undefined ? await knownModel(deps, provider) : undefined;
	const model = named?.model ?? deps.defaultModels[provider] ?? known ?? (await firstModel(client, await open(""), program, stop));
	if (typeof model !== "string") return { ...model, ...because };
	const accounts = await open(model);
	return "code" in accounts ? { ...accounts, ...because } : { client, accounts, model };
}

/** The first of the models already fetched, which saves a request to the server. */
async function knownModel({ offered }: Deps, provider: ModelProvider): Promise<string | undefined> {
	const first = (await offered()).find((name) => name.startsWith(`${provider}/`));
	return first?.slice(provider.length + 1);
}

/** The model that the server offers first, whichever account is used. */
async function firstModel(client: ModelClient, accounts: RunAccounts | NoAccount, program: ProgramLog, stop: AbortSignal) {
	if ("code" in accounts) return accounts;
	return new ModelAsker(client, accounts, (rotation) => noteRotation(program, rotation)).firstModel(stop);
}

/** Parses `anthropic/<model>` or `openai/<model>`; the model's own name may contain slashes. */
function namedModel(model: string | undefined): { readonly provider: ModelProvider; readonly model: string } | undefined {
	const [, provider, name] = /^([a-z]+)\/(.+)$/.exec(model ?? "") ?? [];
	const known = ModelProvider.safeParse(provider);
	return known.success && name !== undefined ? { provider: known.data, model: name } : undefined;
}
