import { expect, it } from "vitest";
import { openHome, toolFile } from "./home-under-test.ts";

it("there are at most as many processes of tools as allowed while many integrations load, and all of them load", {
	timeout: 40_000,
}, async () => {
	await using home = await openHome({ acceptsAll: true, maxHosts: 2, waitMs: 1 });
	const names = ["one", "two", "three", "four", "five", "six"];
	for (const name of names) await home.write(`tools/${name}/tools.ts`, toolFile({ id: `${name}.word.say` }));
	await home.tools.begin();
	expect(home.mostHosts).toBeLessThanOrEqual(2);
	expect((await home.tools.hosts.catalogue()).tools.size).toBe(names.length);
});
