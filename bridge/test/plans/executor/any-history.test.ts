import type { DeliveryAction } from "@xworkmate/contracts";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { SendOutcome } from "../../../src/ports/channels/channel.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { duePlan, found, second } from "../../store/contracts/plan-fixture.ts";
import { openSqliteUnderTest } from "../../store/sqlite-store-under-test.ts";
import { openBridge, SOON, toEmail } from "./executor-scene.ts";
import { type Play, ScriptedChannel } from "./scripted-channel.ts";

/** One attempt: whether it gets as far as the hand-over, and what is said then. `hangs`: nothing, ever. */
interface Step {
	readonly handsOver: boolean;
	readonly says: SendOutcome["kind"] | "hangs" | "throws";
}

const step: fc.Arbitrary<Step> = fc.record({
	handsOver: fc.boolean(),
	says: fc.constantFrom("accepted", "passing", "held", "refused", "no_answer", "hangs", "throws"),
});

/** What happens between two looks. `takeover`: another bridge begins while this one still believes that it is the one. */
const turn = fc.constantFrom("pass a minute", "pass an hour", "stop and start", "takeover");

const outcomes: Readonly<Record<SendOutcome["kind"], SendOutcome>> = {
	accepted: { kind: "accepted", proof: "sent" },
	passing: { kind: "passing", message: "busy" },
	held: { kind: "held", code: "CHANNEL_AUTH", message: "wrong password", fix: "Set it again." },
	refused: { kind: "refused", code: "RECIPIENT_REFUSED", message: "no such mailbox", fix: "Correct it." },
	no_answer: { kind: "no_answer", message: "cut" },
};

it("[T2-67] in any history a message is handed over again only after a definite refusal", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.array(turn, { maxLength: 5 }), async (steps, turns) => {
			await using file = await openSqliteUnderTest();
			const store = file.ports.plans;
			const clock = new FakeClock(Date.parse(second(0)));
			const channel = new ScriptedChannel();
			const left = [...steps];
			/** By message: what was said about each that left. */
			const said = new Map<string, string[]>();
			channel.play = playOf(left, said, channel);
			const bridges = [await openBridge(store, { clock, channels: [channel] })];
			const start = async () => {
				const next = await openBridge(store, { clock, channels: [channel] });
				bridges.push(next);
				await next.executor.recover();
				next.executor.begin();
			};
			const planId = await duePlan(store, "p1", bridges[0]?.log.epoch ?? 0, {
				delivery: [toEmail("one", "ann"), toEmail("two", "ann"), toEmail("three", "bob")],
			});
			bridges[0]?.executor.begin();
			for (const what of [...turns, "pass an hour" as const]) {
				if (what === "stop and start") {
					const stopped = bridges.at(-1)?.executor[Symbol.asyncDispose]();
					await expect.poll(() => hasEnded(stopped, clock), SOON).toBe(true);
				}
				if (what === "pass a minute") clock.advance(61_000);
				else if (what === "pass an hour") clock.advance(3_600_000);
				else await start();
				bridges.at(-1)?.executor.wake();
				await new Promise((resolve) => setImmediate(resolve));
			}
			await start();
			for (const { executor } of bridges) {
				const stopped = executor[Symbol.asyncDispose]();
				await expect.poll(() => hasEnded(stopped, clock), SOON).toBe(true);
			}
			for (const { log } of bridges) log[Symbol.dispose]();
			for (const words of said.values()) expect(words.slice(0, -1).every((word) => isDefinite(word))).toBe(true);
			const { newest } = await found(store, planId);
			for (const action of newest?.delivery ?? []) expectTrue(action, said.get(action.actionId) ?? []);
		}),
		{ numRuns: 40 },
	);
});

function playOf(left: Step[], said: Map<string, string[]>, channel: ScriptedChannel): Play {
	return async ({ handOver, leave }) => {
		const { handsOver, says } = left.shift() ?? { handsOver: true, says: "accepted" };
		if (handsOver || says === "accepted") {
			await handOver();
			leave();
			const id = channel.journal.at(-1)?.split(" ")[0] ?? "";
			said.set(id, [...(said.get(id) ?? []), says]);
		}
		if (says === "hangs") return new Promise(() => undefined);
		if (says === "throws") throw new Error("broken");
		return outcomes[says];
	};
}

function isDefinite(word: string): boolean {
	return word === "passing" || word === "held" || word === "refused";
}

/** The final report about a message claims no more than what happened. */
function expectTrue({ status }: DeliveryAction, words: readonly string[]): void {
	const last = words.at(-1);
	if (status === "completed") expect(last).toBe("accepted");
	if (last === "no_answer" || last === "hangs" || last === "throws") expect(["unknown", "sending"]).toContain(status);
}

/** Lets a stop's time pass while it waits. */
async function hasEnded(stopped: Promise<void> | undefined, clock: FakeClock): Promise<boolean> {
	clock.advance(5_000);
	return Promise.race([(stopped ?? Promise.resolve()).then(() => true), new Promise<false>((resolve) => setTimeout(resolve, 5, false))]);
}
