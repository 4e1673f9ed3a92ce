import { type Sha256, ToolId } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import { demo, type HomeUnderTest, openHome, toolFile } from "./home-under-test.ts";

/** Waits until there is a version to review. */
function unaccepted(home: HomeUnderTest): Promise<Sha256> {
	return vi.waitFor(
		async () => {
			const [now] = (await home.tools.service.list({})).integrations;
			expect(now?.state).toBe("unaccepted");
			if (now?.toolHash === undefined) throw new Error("nothing is loaded");
			return now.toolHash;
		},
		{ timeout: 20_000 },
	);
}

it("what changes a list of the tools is heard: a file, an acceptance, a rule", { timeout: 40_000 }, async () => {
	await using home = await openHome();
	let heard = Promise.withResolvers<void>();
	home.tools.onChanged(() => heard.resolve());
	const next = async (act: () => unknown) => {
		heard = Promise.withResolvers();
		await act();
		await heard.promise;
	};
	await next(() => home.tools.begin());
	await home.write("tools/demo/tools.ts", toolFile());
	const toolHash = await unaccepted(home);
	await next(() => home.tools.service.accept({ integration: demo, toolHash }));
	await next(() => home.tools.service.policy({ toolId: ToolId.parse("demo.word.say"), decision: "deny" }));
	await next(() => home.write("tools/demo/tools.ts", toolFile({ handler: "async () => ({ said: 'changed' })" })));
	await unaccepted(home);
});
