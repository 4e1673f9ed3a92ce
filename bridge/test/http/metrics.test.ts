import { expect, it } from "vitest";
import { BridgeMetrics } from "../../src/http/metrics.ts";

const LAG = "xworkmate_nodejs_eventloop_lag_max_seconds";

it("measures the process only once somebody reads, so that an idle bridge is not woken for it", async () => {
	const metrics = new BridgeMetrics(() => ({ active: 0, queued: 0, commits: 0, ended: {} }));
	expect(metrics.registry.getSingleMetric(LAG)).toBeUndefined();
	expect(await metrics.read()).toContain(LAG);
	expect(await metrics.read()).toContain(LAG);
});
