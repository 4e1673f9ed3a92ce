import { type AgentTest, type ProviderFeatures, ProviderId, Timestamp } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { Availability, Provider } from "../../src/ports/agents/provider.ts";
import { ProviderCatalogue } from "../../src/routing/index.ts";

const at = Timestamp.parse("2026-11-20T09:00:00.000Z");

const failedRun = { at, problem: { code: "PROVIDER_EXITED", message: "It ended.", fix: "Test it." } };

function kept(...before: readonly (readonly [string, AgentTest])[]) {
	const tests = new Map<string, AgentTest>(before);
	return {
		last: (id: ProviderId) => tests.get(id),
		keep: (id: ProviderId, test: AgentTest) => void tests.set(id, test),
		answeredAt: (id: ProviderId) => (id === "answered" ? at : undefined),
		failedRun: (id: ProviderId) => (id === "failing" ? failedRun : undefined),
		now: () => at,
	};
}

const features: ProviderFeatures = { approvals: false, followUp: false, resume: false, attachments: false };

function provider(id: string, rest: Pick<Provider, "test"> & { readonly availability?: Provider["availability"] }): Provider {
	const availability = async (): Promise<Availability> => ({ available: true });
	return {
		...{ providerId: ProviderId.parse(id), label: id, target: "agent", features, availability },
		...rest,
		runTurn: async () => ({ kind: "ended" }),
		releaseSession: async () => undefined,
		close: async () => undefined,
	};
}

it("tries one provider once for all who ask at the time, and says what came of it", async () => {
	let tries = 0;
	const { promise: gate, resolve: open } = Promise.withResolvers<void>();
	const test = async (): Promise<Availability> => {
		tries++;
		await gate;
		return { available: true, models: ["m"] };
	};
	const catalogue = new ProviderCatalogue([provider("a", { test })], kept());
	const both = [catalogue.test(ProviderId.parse("a")), catalogue.test(ProviderId.parse("a"))];
	open();
	for (const { provider } of await Promise.all(both)) expect(provider).toMatchObject({ providerId: "a", available: true, models: ["m"] });
	expect(tries).toBe(1);
	await catalogue.test(ProviderId.parse("a"));
	expect(tries).toBe(2);
});

it("asks one that cannot be tried whether it is there, and tells a failure of its own as one", async () => {
	const broken = provider("b", { test: () => Promise.reject(new Error("no disk")) });
	const catalogue = new ProviderCatalogue([provider("a", {}), broken], kept());
	expect(await catalogue.test(ProviderId.parse("a"))).toMatchObject({ provider: { available: true } });
	expect(await catalogue.test(ProviderId.parse("b"))).toMatchObject({ provider: { unavailable: { message: "No disk." } } });
	expect(() => catalogue.test(ProviderId.parse("c"))).toThrow(expect.objectContaining({ code: "PROVIDER_NOT_FOUND" }));
});

it("says of one that is there how its last test ended, keeps how a test ends now, and invents none of one that was only found", async () => {
	const works = async (): Promise<Availability> => ({ available: true });
	const problem = { code: "PROVIDER_EXITED", message: "It ended.", fix: "Run it." };
	const fails = async (): Promise<Availability> => ({ available: false, unavailable: problem });
	const gone = { availability: fails, test: fails };
	const tests = kept(["old", { at, tookMs: 5 }], ["gone", { at, tookMs: 5 }]);
	const all = [provider("old", { test: works }), provider("found", { test: works }), provider("broken", { test: fails })];
	const catalogue = new ProviderCatalogue([...all, provider("gone", gone), provider("script", {})], tests);
	const lastOf = async () => Object.fromEntries((await catalogue.describe()).map(({ providerId, lastTest }) => [providerId, lastTest]));
	expect(await lastOf()).toEqual({ old: { at, tookMs: 5 }, found: undefined, broken: undefined, gone: undefined, script: undefined });
	for (const id of ["found", "broken", "script"]) await catalogue.test(ProviderId.parse(id));
	expect(await lastOf()).toMatchObject({ found: { at }, broken: { at, problem } });
	expect(tests.last(ProviderId.parse("script"))).toBeUndefined();
});

it("says which agents providers.json defines", async () => {
	const catalogue = new ProviderCatalogue([provider("a", {}), { ...provider("b", {}), isDefined: true }], kept());
	expect((await catalogue.describe()).map(({ isDefined }) => isDefined)).toEqual([false, true]);
});

it("keeps the result before one that the end of the bridge cut off", async () => {
	const problem = { code: "TEST_STOPPED", message: "The bridge stopped.", fix: "Test it again." };
	const test = async (): Promise<Availability> => ({ available: false, unavailable: problem });
	const tests = kept(["tested", { at, tookMs: 5 }]);
	const catalogue = new ProviderCatalogue([provider("tested", { test })], tests);
	expect(await catalogue.test(ProviderId.parse("tested"))).toMatchObject({ provider: { unavailable: problem } });
	expect(tests.last(ProviderId.parse("tested"))).toEqual({ at, tookMs: 5 });
});

it("says of an agent that was not tested when it answered in a run", async () => {
	const catalogue = new ProviderCatalogue([provider("answered", {}), provider("found", {})], kept());
	expect((await catalogue.describe()).map(({ answeredAt }) => answeredAt)).toEqual([at, undefined]);
});

it("says how an agent's last run failed, also after a test that starts nothing", async () => {
	const catalogue = new ProviderCatalogue([provider("failing", {}), provider("found", {})], kept());
	expect((await catalogue.describe()).map((one) => one.failedRun)).toEqual([failedRun, undefined]);
	expect((await catalogue.test(ProviderId.parse("failing"))).provider).toMatchObject({ available: true, failedRun });
	const test = async (): Promise<Availability> => ({ available: true });
	const tested = await new ProviderCatalogue([provider("failing", { test })], kept()).test(ProviderId.parse("failing"));
	expect(tested.provider.failedRun).toBeUndefined();
});
