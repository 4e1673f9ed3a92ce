import { type DeliveryAction, Sha256 } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { SendOutcome } from "../../../src/ports/channels/channel.ts";
import { openScene, SOON } from "./executor-scene.ts";
import type { Play } from "./scripted-channel.ts";

const passing: SendOutcome = { kind: "passing", message: "busy" };
const held: SendOutcome = { kind: "held", code: "CHANNEL_AUTH", message: "wrong password", fix: "Set it again." };
const refused: SendOutcome = { kind: "refused", code: "RECIPIENT_REFUSED", message: "no such mailbox", fix: "Correct the address." };
const silent: SendOutcome = { kind: "no_answer", message: "cut" };
const accepted: SendOutcome = { kind: "accepted", proof: "sent" };
const provedLater: SendOutcome = { kind: "accepted", proof: "accepted", awaitsProof: true };

const before =
	(outcome: SendOutcome): Play =>
	async () =>
		outcome;
const after =
	(outcome: SendOutcome): Play =>
	async ({ handOver, leave }) => {
		await handOver();
		leave();
		return outcome;
	};

type Row = readonly [what: string, play: Play, expected: Partial<DeliveryAction>, left: number];

const again = { status: "pending", attempts: 1, notBefore: "2026-01-05T00:00:30.000Z" } as const;
const rows: readonly Row[] = [
	["a passing refusal before the hand-over", before(passing), again, 0],
	["a cut before the hand-over", before(silent), again, 0],
	["a refusal that a person can mend, before it", before(held), { status: "needs_review", code: "CHANNEL_AUTH" }, 0],
	["a final refusal before it", before(refused), { status: "failed", code: "RECIPIENT_REFUSED" }, 0],
	["a failure before it", () => Promise.reject(new Error("broken")), again, 0],
	["a passing refusal after the hand-over", after(passing), again, 1],
	["a refusal that a person can mend, after it", after(held), { status: "needs_review", code: "CHANNEL_AUTH" }, 1],
	["a final refusal after it", after(refused), { status: "failed", code: "RECIPIENT_REFUSED" }, 1],
	["a cut after it", after(silent), { status: "unknown", code: "NO_ANSWER", stage: "handing_over" }, 1],
	[
		"a failure after it",
		async ({ handOver }) => {
			await handOver();
			throw new Error("broken");
		},
		{ status: "unknown", code: "NO_ANSWER" },
		0,
	],
	["a yes", after(accepted), { status: "completed", proof: "sent" }, 1],
	["a yes with proof to come", after(provedLater), { status: "sending", stage: "accepted", proof: "accepted" }, 1],
];

it.each(rows)("an attempt that ends with %s", async (_what, play, expected, left) => {
	await using scene = await openScene();
	scene.channel.play = play;
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject(expected);
	expect(scene.channel.journal).toHaveLength(left);
	expect(scene.fatal).toEqual([]);
});

it("nothing of a message is out before its hand-over is committed", async () => {
	await using scene = await openScene();
	let seen: DeliveryAction | undefined;
	scene.channel.play = async ({ handOver, leave }) => {
		await handOver();
		seen = await scene.first(planId);
		leave();
		return accepted;
	};
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "completed" });
	expect(seen).toMatchObject({ status: "sending", stage: "handing_over", attempts: 1 });
	const stored = await scene.store.payload(Sha256.parse(seen?.payloadHash));
	expect(Buffer.from(stored?.bytes ?? []).toString()).toBe(scene.channel.journal[0]);
});

it("nothing is handed over by a claim whose lease is over, though nobody else has taken it", async () => {
	await using scene = await openScene({ limits: { leaseMs: 10_000 } });
	const { promise: building, resolve: build } = Promise.withResolvers<void>();
	scene.channel.building = building;
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ stage: "claimed" });
	scene.pass(10_000);
	build();
	const words = "The time limit was reached before the message was handed over.";
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "pending", attempts: 1, message: words });
	expect(scene.channel.journal).toEqual([]);
});

it.each([
	["before the hand-over is tried again", false, { status: "pending" }],
	["after it is unknown", true, { status: "unknown", code: "NO_ANSWER", message: "The channel didn't respond within 1 min." }],
])("an attempt that takes too long %s", async (_what, isHandedOver, expected) => {
	await using scene = await openScene();
	const { promise: reached, resolve: reach } = Promise.withResolvers<AbortSignal>();
	scene.channel.play = async ({ handOver, signal }) => {
		if (isHandedOver) await handOver();
		reach(signal);
		return new Promise(() => undefined);
	};
	const planId = await scene.plan("p1");
	scene.executor.begin();
	const signal = await reached;
	scene.pass(60_000);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject(expected);
	expect(signal.aborted).toBe(true);
});

it("an answer that comes too late settles what is unknown, and sends nothing", async () => {
	await using scene = await openScene();
	const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
	const { promise: answer, resolve: say } = Promise.withResolvers<SendOutcome>();
	scene.channel.play = async ({ handOver, leave }) => {
		await handOver();
		leave();
		reach();
		return answer;
	};
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await reached;
	scene.pass(60_000);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "unknown" });
	say(passing);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "failed", code: "NOT_SENT", message: "busy" });
	scene.pass(60_000);
	expect(scene.channel.journal).toHaveLength(1);
});

it("a message that was accepted is unknown when no word comes in time", async () => {
	await using scene = await openScene({ limits: { confirmMs: 600_000 } });
	scene.channel.play = after(provedLater);
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ stage: "accepted" });
	scene.pass(599_000);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ stage: "accepted" });
	scene.pass(1_000);
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ status: "unknown", code: "NO_CONFIRMATION" });
	expect(scene.channel.journal).toHaveLength(1);
});

it("keeps of a server's words what fits, and takes no wait that is no number", async () => {
	await using scene = await openScene();
	scene.channel.play = before({ kind: "passing", message: "x".repeat(10_000), retryAfterMs: Number.NaN });
	const planId = await scene.plan("p1");
	scene.executor.begin();
	await expect.poll(() => scene.first(planId), SOON).toMatchObject({ ...again, message: "x".repeat(2_000) });
});
