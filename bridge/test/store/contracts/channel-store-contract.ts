import { ActionId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { KeyedTold } from "../../../src/ports/channels/channel-news.ts";
import { actionOf, claim, claimUntil, duePlan, found, handOver, openOne, second } from "./plan-fixture.ts";
import type { OpenStore } from "./store-under-test.ts";

const reply = (key: string): KeyedTold => ({ key, told: { kind: "reply", channel: "whatsapp", address: "+15550001111", at: second(1) } });

export function channelStoreContract(name: string, open: OpenStore): void {
	describe(`${name}: news of channels`, () => {
		it("keeps what is told once, also over a restart, and of what has its effect only that it was told", async () => {
			await using store = await open();
			const { channels } = store.ports;
			expect(await channels.keep([reply("a"), reply("b"), reply("a")], second(2))).toBe(2);
			expect(await channels.keep([], second(2))).toBe(0);
			const [first, ...others] = await channels.waiting(10);
			expect(first).toMatchObject({ receivedAt: second(2), told: reply("a").told });
			expect(others).toHaveLength(1);
			expect(await channels.waiting(10, first?.id)).toEqual(others);
			await channels.markHandled([first?.id ?? 0]);
			const after = (await store.reopen()).channels;
			expect(await after.keep([reply("a"), reply("b")], second(3))).toBe(0);
			expect(await after.waiting(10)).toEqual(others);
		});

		it("forgets what was told long ago and has its effect, and nothing that waits", async () => {
			await using store = await open();
			const { channels } = store.ports;
			await channels.keep([reply("a"), reply("b"), reply("c")], second(0));
			await channels.markHandled((await channels.waiting(2)).map(({ id }) => id));
			expect(await channels.forget(second(0), 10)).toBe(0);
			expect([await channels.forget(second(1), 1), await channels.forget(second(1), 10)]).toEqual([1, 1]);
			expect(await channels.waiting(10)).toHaveLength(1);
		});

		it("keeps the latest window of an address", async () => {
			await using store = await open();
			const { channels } = store.ports;
			await channels.openWindow("whatsapp", "+1", second(100));
			await channels.openWindow("whatsapp", "+1", second(50));
			await channels.openWindow("discord", "+1", second(200));
			expect(await channels.windowUntil("whatsapp", "+1")).toBe(second(100));
			expect(await channels.windowUntil("whatsapp", "+2")).toBeUndefined();
		});

		it("finds a message by our name of it, of its channel alone", async () => {
			await using store = await open();
			const { channels, plans } = store.ports;
			const epoch = await plans.beginEpoch(second(0));
			const planId = await duePlan(plans, "p1", epoch, { delivery: [{ channel: "whatsapp", content: "Hello" }] });
			const actionId = actionOf(openOne(await found(plans, planId)));
			const occurrenceId = openOne(await found(plans, planId)).occurrence.occurrenceId;
			expect(await channels.findAction(actionId, "whatsapp")).toEqual({ planId, occurrenceId, actionId });
			await claim(plans, planId, claimUntil(epoch));
			await handOver(plans, planId, claimUntil(epoch), second(7));
			expect(await channels.findAction(actionId, "whatsapp")).toMatchObject({ handedOverAt: second(7) });
			expect(await channels.findAction(actionId, "email")).toBeUndefined();
			expect(await channels.findAction(ActionId.parse("nobody"), "whatsapp")).toBeUndefined();
			expect(await channels.findAtChannel("whatsapp", "wamid.1")).toBeUndefined();
		});
	});
}
