import {
	type AgentTest,
	ContractError,
	type FailedRun,
	type MethodResult,
	omitUndefined,
	type ProviderCapability,
	type ProviderId,
	sentence,
	type Timestamp,
} from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import type { Provider } from "../ports/agents/provider.ts";

/** The current capabilities of the providers, in their order. A provider that fails to report them is listed as unavailable. */
function describeProviders(providers: readonly Provider[], tests: TestsOfProviders): Promise<ProviderCapability[]> {
	return Promise.all(
		providers.map(async (provider) => {
			const capability = await describe(provider);
			if (!capability.available) return capability;
			const { providerId } = provider;
			const failedRun = tests.failedRun(providerId);
			return { ...capability, ...omitUndefined({ lastTest: tests.last(providerId), answeredAt: tests.answeredAt(providerId), failedRun }) };
		}),
	);
}

async function describe(provider: Provider, ask = provider.availability()): Promise<ProviderCapability> {
	const { providerId, label, target, own, isDefined = false } = provider;
	const answer = await ask.catch((error: unknown) => ({
		available: false as const,
		unavailable: {
			code: "AVAILABILITY_UNKNOWN",
			message: sentence(errorMessage(error)),
			fix: "See the bridge's log for the cause.",
		},
	}));
	// The features are read last, because they may change while the provider answers.
	const { features } = provider;
	const base = { providerId, ...(own && { own }), isDefined, label, target, available: answer.available, features };
	if (!answer.available) return { ...base, unavailable: answer.unavailable };
	return { ...base, ...(answer.models === undefined ? {} : { models: [...answer.models] }) };
}

const FRESH_MS = 1_000;
/** The time limit of a test: less than the 30 seconds that clients wait for an answer. */
const TEST_MS = 20_000;

const untested: ReadonlySet<string> = new Set(["PROVIDER_NOT_INSTALLED", "TEST_STOPPED"]);

/** How the providers' tests ended, including those of earlier bridges. */
export interface TestsOfProviders {
	/** The last test of the version that would be used now. */
	last(providerId: ProviderId): AgentTest | undefined;
	keep(providerId: ProviderId, test: AgentTest): void;
	/** When an untested agent, in the version that would be used now, answered in a run. */
	answeredAt(providerId: ProviderId): Timestamp | undefined;
	/**
	 * How a run failed because of the agent, in the version that would be used now. Undefined if the agent has answered or was tested since.
	 */
	failedRun(providerId: ProviderId): FailedRun | undefined;
	now(): Timestamp;
}

type TestedProvider = MethodResult<"xworkmate.providers.test">;

/** The providers of this bridge. Caches their capabilities for a second, because every message that is routed needs them. */
export class ProviderCatalogue {
	readonly #providers: readonly Provider[];
	readonly #tests: TestsOfProviders;
	readonly #trying = new Map<ProviderId, Promise<TestedProvider>>();
	#described: { readonly at: number; readonly answer: Promise<readonly ProviderCapability[]> } | undefined;

	constructor(providers: Iterable<Provider>, tests: TestsOfProviders) {
		this.#providers = [...providers];
		this.#tests = tests;
	}

	describe(): Promise<readonly ProviderCapability[]> {
		const now = performance.now();
		if (this.#described === undefined || now - this.#described.at > FRESH_MS) {
			this.#described = { at: now, answer: describeProviders(this.#providers, this.#tests) };
		}
		return this.#described.answer;
	}

	/** Drops the cached capabilities, because an agent or what is known about it has changed. */
	forget(): void {
		this.#described = undefined;
	}

	/**
	 * Tests a provider in its own way; an agent, for example, is started. A provider without a test only reports its availability. Concurrent
	 * calls share one test.
	 * @throws ContractError PROVIDER_NOT_FOUND
	 */
	test(providerId: ProviderId): Promise<TestedProvider> {
		const provider = this.#providers.find((candidate) => candidate.providerId === providerId);
		if (provider === undefined) throw new ContractError("PROVIDER_NOT_FOUND", { detail: `There is no agent named ${providerId}.` });
		const trying = this.#trying.get(providerId) ?? this.#try(provider);
		this.#trying.set(providerId, trying);
		return trying;
	}

	async #try(provider: Provider): Promise<TestedProvider> {
		const begin = performance.now();
		try {
			const signal = AbortSignal.timeout(TEST_MS);
			const tried = await describe(provider, provider.test?.(signal) ?? provider.availability());
			const tookMs = Math.round(performance.now() - begin);
			const { available, unavailable: problem } = tried;
			// An agent that isn't installed was not tested, and a test that was cut short because the bridge stopped shows nothing. A provider
			// without a test is as available as it reports.
			const isTest = provider.test !== undefined && (problem === undefined || !untested.has(problem.code));
			const lastTest = { at: this.#tests.now(), tookMs, ...(problem && { problem }) };
			if (isTest) this.#tests.keep(provider.providerId, lastTest);
			if (!available) return { provider: tried, tookMs };
			// A provider that is only available may still fail to work, as it did in a run.
			const known = isTest ? { lastTest } : omitUndefined({ failedRun: this.#tests.failedRun(provider.providerId) });
			return { provider: { ...tried, ...known }, tookMs };
		} finally {
			this.#trying.delete(provider.providerId);
			this.forget();
		}
	}
}
