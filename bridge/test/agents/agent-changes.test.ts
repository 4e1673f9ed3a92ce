import { pino } from "pino";
import { expect, it } from "vitest";
import { createAgents, openAgentHome, testsOfProviders } from "../../src/create-agents.ts";
import type { Provider } from "../../src/ports/agents/provider.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { ProviderCatalogue } from "../../src/routing/index.ts";
import { readConfig } from "../config/read-config.ts";
import { Core, say } from "../runs/core-fixture.ts";

it("a reader that asks because a run has ended learns of it, even right after the same question", async () => {
	await using core = await Core.open(async (_turn, sink) => {
		await say(sink, "Hello");
		return { kind: "failed", code: "PROVIDER_EXITED", message: "It ended." };
	});
	const config = readConfig({ XWORKMATE_HOME: core.home }, []);
	const logger = pino({ level: "silent" });
	const agents = openAgentHome(config, logger, () => undefined);
	const [features, availability] = [{ approvals: false, followUp: false, resume: false, attachments: false }, { available: true }] as const;
	const run = await core.submit("t0", { prompt: "Hello" });
	const providerId = (await core.settled(run)).provider.providerId;
	const provider: Provider = {
		...{ providerId, label: "Agent", target: "agent", features, availability: async () => availability },
		...{ runTurn: async () => ({ kind: "ended" }), releaseSession: async () => undefined, close: async () => undefined },
	};
	const catalogue = new ProviderCatalogue([provider], testsOfProviders(agents, systemClock));
	const asked = Promise.withResolvers<Awaited<ReturnType<typeof catalogue.describe>>>();
	const ledger = { add: async () => undefined, remove: async () => undefined, list: async () => [] };
	await using _agents = createAgents({
		...{ config, agents, managed: [], ledger, clock: systemClock, logger, runs: core.service, catalogue },
		providers: new Map([[providerId, provider]]),
		onChanged: () => asked.resolve(catalogue.describe()),
	});
	expect((await catalogue.describe())[0]?.failedRun).toBeUndefined();
	await core.settled(await core.submit("t1", { prompt: "Hello" }));
	expect((await asked.promise)[0]?.failedRun?.problem.code).toBe("PROVIDER_EXITED");
});
