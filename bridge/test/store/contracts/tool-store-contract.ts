import { IntegrationId, Sha256, ToolId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { time } from "./run-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

const hash = (digit: string) => Sha256.parse(digit.repeat(64));

export function toolStoreContract(name: string, open: OpenStore): void {
	describe(`${name}: tools`, () => {
		it("gives the newest acceptance of each integration, across a restart", async () => {
			await using store = await open();
			const accepted = (integration: string, digit: string, at: number) => ({
				integration: IntegrationId.parse(integration),
				toolHash: hash(digit),
				by: "person",
				at: time(at),
			});
			const [first, other, second] = [accepted("calendar", "a", 1), accepted("github", "b", 2), accepted("calendar", "c", 1)];
			for (const acceptance of [first, other, second]) await store.ports.tools.accept(acceptance);
			expect(await store.ports.tools.acceptances()).toEqual([second, other]);
			expect(await (await store.reopen()).tools.acceptances()).toEqual([second, other]);
		});

		it("keeps one rule for a tool, until it is removed", async () => {
			await using store = await open();
			const toolId = ToolId.parse("calendar.event.create");
			const other = ToolId.parse("calendar.event.delete");
			const rule = { toolId, decision: "ask", by: "person", at: time(1) } as const;
			await store.ports.tools.setRule(rule);
			await store.ports.tools.setRule({ ...rule, decision: "allow", at: time(2) });
			await store.ports.tools.setRule({ ...rule, toolId: other, decision: "deny" });
			const { tools } = await store.reopen();
			expect(await tools.rules()).toEqual([
				{ ...rule, decision: "allow", at: time(2) },
				{ ...rule, toolId: other, decision: "deny" },
			]);
			await tools.removeRule(toolId);
			await tools.removeRule(toolId);
			expect((await tools.rules()).map((each) => each.toolId)).toEqual([other]);
		});
	});
}
